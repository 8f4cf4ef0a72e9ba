use guildhall_common::contract::{
    command::Failure,
    guild::{AssignableRank, ChangeRank, GuildRank, GuildRefusal, RankChanged, guild_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for ChangeRank {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<RankChanged, Failure> {
        let guild = cx.guild_as_leader(self.guild_id).await?;
        let member = cx.member(&guild, &self.character).await?;
        if member.rank == GuildRank::Leader {
            return Err(GuildRefusal::LeaderKeepsRank.into());
        }
        cx.must_be_offline(member.online)?;
        let (stored, rank) = match self.rank {
            AssignableRank::Member => (1, GuildRank::Member),
            AssignableRank::ViceLeader => (2, GuildRank::ViceLeader),
        };
        sqlx::query!(
            "update guild_members set rank = $2 where character_id = $1",
            member.character_id,
            stored
        )
        .execute(&mut *cx.db)
        .await?;
        cx.stale([guild_key(&guild.name)]);
        Ok(RankChanged { guild_id: guild.guild_id, character_id: member.character_id, rank })
    }
}
