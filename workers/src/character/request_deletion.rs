//! Requests the deletion of a character, and cancels it. A job deletes the character when it is due.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{
        AccountRefusal, CancelCharacterDeletion, CharacterDeletionCancelled, CharacterDeletionRequested,
        DeleteCharacter,
    },
    command::Failure,
};
use serde_json::json;

use crate::{
    character::{
        deletion::{self, DeleteDueCharacter},
        own_character,
    },
    engine::{audit::Entry, context::Context, rule::Rule},
    game,
};

/// The time between the request to delete a character and its deletion. The player can cancel the request until then.
const DELAY: TimeDelta = TimeDelta::days(7);

impl Rule for DeleteCharacter {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// Guilds and buyers cannot add anything to the character from now on.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharacterDeletionRequested, Failure> {
        let character = own_character::find_changeable(cx, &self.character).await?;
        let character_id = character.character_id;
        deletion::lock_against_new_rows(cx, character_id).await?;
        let leads_guild = sqlx::query_scalar!(
            r#"select exists (select from guild_members join guilds using (guild_id)
                              where character_id = $1 and leader_id = $1) as "leads_guild!""#,
            character_id.get(),
        )
        .fetch_one(&mut *cx.db)
        .await?;
        if leads_guild {
            return Err(AccountRefusal::CharacterLeadsGuild.into());
        }
        if game::has_open(cx, character_id).await? {
            return Err(AccountRefusal::DeliveriesPending.into());
        }
        let deletion_due_at = cx.now + DELAY;
        sqlx::query!(
            "with requested as (update characters set deletion_due_at = $2 where character_id = $1)
             delete from guild_invites where character_id = $1",
            character_id.get(),
            deletion_due_at,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.schedule(&DeleteDueCharacter { character_id }, deletion_due_at).await?;
        let details = json!({ "character_id": character_id, "account_id": character.account_id });
        cx.audit(Entry::new("character.request_deletion", details)).await?;
        let requested = CharacterDeletionRequested { character_id, deletion_due_at };
        cx.publish("character.deletion_requested", &requested);
        Ok(requested)
    }
}

impl Rule for CancelCharacterDeletion {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharacterDeletionCancelled, Failure> {
        let character = own_character::find_own(cx, &self.character).await?;
        let character_id = character.character_id;
        if !character.is_being_deleted {
            return Err(AccountRefusal::CharacterNotBeingDeleted.into());
        }
        // The job stays. It finds that the deletion is not due.
        sqlx::query!(
            "update characters set deletion_due_at = null where character_id = $1",
            character_id.get()
        )
        .execute(&mut *cx.db)
        .await?;
        let details = json!({ "character_id": character_id, "account_id": character.account_id });
        cx.audit(Entry::new("character.cancel_deletion", details)).await?;
        let cancelled = CharacterDeletionCancelled { character_id };
        cx.publish("character.deletion_cancelled", &cancelled);
        Ok(cancelled)
    }
}
