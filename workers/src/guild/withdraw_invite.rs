//! Declining and cancelling: the same end, from either side.

use guildhall_common::contract::{
    command::Failure,
    guild::{CancelInvite, DeclineInvite, GuildRefusal, InviteRemoved},
};

use crate::engine::rule::{Context, Rule};

impl Rule for DeclineInvite {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<InviteRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let character = cx.own_character(&self.character).await?;
        withdraw(cx, guild.guild_id, character.character_id).await
    }
}

impl Rule for CancelInvite {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<InviteRemoved, Failure> {
        let (guild, _) = cx.guild_as_leading(self.guild_id).await?;
        let character = cx.character(&self.character).await?;
        withdraw(cx, guild.guild_id, character.character_id).await
    }
}

async fn withdraw(cx: &mut Context<'_>, guild_id: i64, character_id: i64) -> Result<InviteRemoved, Failure> {
    let withdrawn = sqlx::query!(
        "delete from guild_invites where guild_id = $1 and character_id = $2 and expires_at > $3",
        guild_id,
        character_id,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    if withdrawn.rows_affected() == 0 {
        return Err(GuildRefusal::InviteNotFound.into());
    }
    Ok(InviteRemoved { guild_id, character_id })
}
