//! Invites a character to a guild.

use chrono::TimeDelta;
use guildhall_common::contract::{
    command::Failure,
    guild::{CharacterInvited, GuildAction, GuildRefusal, InviteCharacter},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::access::must_stay,
};

/// The time after which an invite expires.
const LIFETIME: TimeDelta = TimeDelta::days(30);

impl Rule for InviteCharacter {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharacterInvited, Failure> {
        let (guild, inviter, character) =
            cx.guild_and_character_for(GuildAction::Invite, self.guild_id, &self.character).await?;
        must_stay(&character)?;
        if character.guild_id.is_some() {
            return Err(GuildRefusal::AlreadyInGuild.into());
        }
        let expires_at = cx.now + LIFETIME;
        // An expired invite is replaced.
        let invited = sqlx::query!(
            "insert into guild_invites as old (guild_id, character_id, invited_by, invited_at, expires_at)
             values ($1, $2, $3, $4, $5)
             on conflict (guild_id, character_id) do update
             set invited_by = excluded.invited_by, invited_at = excluded.invited_at, expires_at = excluded.expires_at
             where old.expires_at <= excluded.invited_at",
            guild.guild_id.get(),
            character.character_id.get(),
            inviter.character_id.get(),
            cx.now,
            expires_at,
        )
        .execute(&mut *cx.db)
        .await?;
        if invited.rows_affected() == 0 {
            return Err(GuildRefusal::AlreadyInvited.into());
        }
        let invited =
            CharacterInvited { guild_id: guild.guild_id, character_id: character.character_id, expires_at };
        cx.publish("guild.invited", &invited);
        Ok(invited)
    }
}
