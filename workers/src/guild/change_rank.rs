//! Changes the rank of a member.

use guildhall_common::contract::{
    command::Failure,
    guild::{ChangeRank, GuildAction, GuildRank, GuildRefusal, RankChanged, guild_key},
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
        let rank = GuildRank::of_member(self.rank, false);
        let changed = RankChanged { guild_id: guild.guild_id, character_id: member.character_id, rank };
        cx.publish("guild.rank_changed", &changed);
        Ok(changed)
    }
}
