//! Deletes characters.
//!
//! The row stays, because purchases, deliveries and invites refer to it. It loses its name and the data of the game.

use guildhall_common::contract::{actor::AccountId, character::CharacterId};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    app::App,
    character::deaths,
    engine::{
        audit::Entry,
        context::Context,
        job_transaction::JobTransaction,
        jobs::{Job, NextRun},
    },
    game, guild,
};

const REASON: &str = "the character was deleted";

/// The job that deletes a character when its deletion is due.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeleteDueCharacter {
    pub(crate) character_id: CharacterId,
}

impl Job for DeleteDueCharacter {
    const NAME: &'static str = "delete_character";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let character_id = self.character_id;
        let mut transaction = JobTransaction::begin(app).await?;
        let mut cx = transaction.context();
        guild::lock_with_guild(cx.db, character_id).await?;
        let due_at = sqlx::query_scalar!(
            r#"select deletion_due_at as "due_at!" from characters
               where character_id = $1 and deletion_due_at is not null and deleted_at is null and confirmed_at is null"#,
            character_id.get(),
        );
        // The player has cancelled it, or the game owns the character now.
        let Some(due_at) = due_at.fetch_optional(&mut *cx.db).await? else { return Ok(NextRun::Done) };
        if due_at > cx.now {
            return Ok(NextRun::After(due_at - cx.now));
        }
        delete(&mut cx, character_id).await?;
        let effects = cx.effects;
        transaction.commit(effects).await?;
        tracing::info!(%character_id, "character deleted");
        Ok(NextRun::Done)
    }
}

/// Deletes the characters of an account. False: the game has given one to another account meanwhile.
///
/// Each is locked with its guild, in the order of the guilds.
pub(crate) async fn delete_all_of(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<bool> {
    for character_id in all_of(cx, account_id).await? {
        guild::lock_with_guild(cx.db, character_id).await?;
        let is_owned = sqlx::query_scalar!(
            r#"select exists (select from characters where character_id = $1 and account_id = $2) as "owns!""#,
            character_id.get(),
            account_id.get(),
        );
        if !is_owned.fetch_one(&mut *cx.db).await? {
            return Ok(false);
        }
        delete(cx, character_id).await?;
    }
    Ok(true)
}

/// The characters of an account, in the order of their guilds.
pub(crate) async fn all_of(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<Vec<CharacterId>> {
    sqlx::query_scalar!(
        r#"select character_id as "character_id: CharacterId"
           from characters left join guild_members using (character_id)
           where account_id = $1 and deleted_at is null order by guild_id, character_id"#,
        account_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Deletes a character. It leaves its guild, its open deliveries are parked, and its name can be used by others.
pub(super) async fn delete(cx: &mut Context<'_>, character_id: CharacterId) -> sqlx::Result<()> {
    guild::leave_or_pass_leadership(cx, character_id).await?;
    lock_against_new_rows(cx, character_id).await?;
    game::park_open(cx, character_id, REASON).await?;
    sqlx::query!("delete from guild_invites where character_id = $1", character_id.get())
        .execute(&mut *cx.db)
        .await?;
    deaths::forget(cx, character_id).await?;
    // No game allows a name of a word, a space and a number.
    let deleted = sqlx::query!(
        r#"with old as (select character_id, name from characters where character_id = $1)
           update characters
           set name = $2, former_name = null, level = 1, vocation = '', online = false, online_by = null,
               confirmed_at = null, game_character_id = null, world = null, deletion_due_at = coalesce(deletion_due_at, $3), deleted_at = $3
           from old where characters.character_id = old.character_id and deleted_at is null
           returning old.name, account_id"#,
        character_id.get(),
        format!("Deleted {character_id}"),
        cx.now,
    );
    let Some(deleted) = deleted.fetch_optional(&mut *cx.db).await? else { return Ok(()) };
    let details = json!({ "character_id": character_id, "account_id": deleted.account_id });
    let mut entry = Entry::new("character.delete", details);
    entry.add("name", Some(deleted.name.into()), None);
    cx.audit(entry).await?;
    cx.publish("character.deleted", &json!({ "character_id": character_id }));
    Ok(())
}

/// Waits for transactions that store something about the character, and keeps others waiting. They lock it for key share, and then
/// find it deleted.
pub(super) async fn lock_against_new_rows(
    cx: &mut Context<'_>,
    character_id: CharacterId,
) -> sqlx::Result<()> {
    sqlx::query!("select from characters where character_id = $1 for update", character_id.get())
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}
