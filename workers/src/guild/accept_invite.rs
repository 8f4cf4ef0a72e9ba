//! Accepts an invite: the character becomes a member.

use guildhall_common::contract::{
    command::Failure,
    guild::{AcceptInvite, AssignableRank, GuildRank, GuildRefusal, MemberJoined},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::{access::must_stay, membership},
};

impl Rule for AcceptInvite {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberJoined, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let character = cx.own_character(&self.character).await?;
        must_stay(&character)?;
        let found = sqlx::query!(
            r#"select (select count(*) from guild_members where guild_id = $1) as "members!",
                      exists (select from guild_invites
                              where guild_id = $1 and character_id = $2 and expires_at > $3) as "is_invited!""#,
            guild.guild_id.get(),
            character.character_id.get(),
            cx.now,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        if !found.is_invited {
            return Err(GuildRefusal::InviteNotFound.into());
        }
        cx.must_be_confirmed(&character)?;
        cx.must_be_offline(character.online)?;
        if found.members >= cx.settings.guilds.member_cap {
            return Err(GuildRefusal::GuildFull.into());
        }
        if character.guild_id.is_some() {
            return Err(GuildRefusal::AlreadyInGuild.into());
        }
        membership::join(cx, guild.guild_id, character.character_id, AssignableRank::Member).await?;
        cx.invalidate_guild(&guild.name);
        let joined = MemberJoined {
            guild_id: guild.guild_id,
            character_id: character.character_id,
            rank: GuildRank::Member,
        };
        cx.publish("guild.member_joined", &joined);
        Ok(joined)
    }
}
