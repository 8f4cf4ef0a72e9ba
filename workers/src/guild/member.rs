//! Changes what a guild says about a member: the rank and the nick.

use guildhall_common::contract::{
    command::Failure,
    guild::{ChangeRank, GuildAction, GuildRank, GuildRefusal, NickSet, RankChanged, SetNick, guild_key},
};

use crate::engine::{context::Context, rule::Rule};

impl Rule for ChangeRank {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<RankChanged, Failure> {
        let (guild, _, character) =
            cx.guild_and_character_for(GuildAction::ChangeRank, self.guild_id, &self.character).await?;
        let member = guild.member(&character)?;
        if member.rank == GuildRank::Leader {
            return Err(GuildRefusal::LeaderKeepsRank.into());
        }
        cx.must_be_offline(member.online)?;
        sqlx::query!(
            "update guild_members set rank = $2 where character_id = $1",
            member.character_id.get(),
            self.rank as _,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.invalidate([guild_key(&guild.name)]);
        let changed = RankChanged {
            guild_id: guild.guild_id,
            character_id: member.character_id,
            rank: self.rank.into(),
        };
        cx.publish("guild.rank_changed", &changed);
        Ok(changed)
    }
}

impl Rule for SetNick {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// Members set their own nick, and the leader and the vice-leaders that of every member.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NickSet, Failure> {
        let (guild, member) =
            cx.guild_and_member_for(GuildAction::SetNick, self.guild_id, &self.character).await?;
        sqlx::query!(
            "update guild_members set nick = $2 where character_id = $1",
            member.character_id.get(),
            &*self.nick,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.invalidate([guild_key(&guild.name)]);
        let set = NickSet {
            guild_id: guild.guild_id,
            character_id: member.character_id,
            nick: self.nick.to_string(),
        };
        cx.publish("guild.nick_set", &set);
        Ok(set)
    }
}
