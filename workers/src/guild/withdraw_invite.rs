//! Declines and cancels invites: the character's account declines, the guild cancels.

use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    guild::{CancelInvite, DeclineInvite, GuildAction, GuildId, GuildRefusal, InviteRemoved},
};

use crate::engine::{context::Context, rule::Rule};

impl Rule for DeclineInvite {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<InviteRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let character = cx.own_character(&self.character).await?;
        let declined = delete_invite(cx, guild.guild_id, character.character_id).await?;
        cx.publish("guild.invite_declined", &declined);
        Ok(declined)
    }
}

impl Rule for CancelInvite {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<InviteRemoved, Failure> {
        let (guild, _, character) =
            cx.guild_and_character_for(GuildAction::CancelInvite, self.guild_id, &self.character).await?;
        let cancelled = delete_invite(cx, guild.guild_id, character.character_id).await?;
        cx.publish("guild.invite_cancelled", &cancelled);
        Ok(cancelled)
    }
}

async fn delete_invite(
    cx: &mut Context<'_>,
    guild_id: GuildId,
    character_id: CharacterId,
) -> Result<InviteRemoved, Failure> {
    let deleted = sqlx::query!(
        "delete from guild_invites where guild_id = $1 and character_id = $2 and expires_at > $3",
        guild_id.get(),
        character_id.get(),
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    if deleted.rows_affected() == 0 {
        return Err(GuildRefusal::InviteNotFound.into());
    }
    Ok(InviteRemoved { guild_id, character_id })
}
