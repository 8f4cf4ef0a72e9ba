//! Makes another member the leader.

use guildhall_common::contract::{
    command::Failure,
    guild::{
        AssignableRank, GuildAction, GuildRank, GuildRefusal, LeadershipPassed, PassLeadership, guild_key,
        guilds_key,
    },
};

use crate::engine::rule::{Context, Rule};

impl Rule for PassLeadership {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LeadershipPassed, Failure> {
        let (guild, leader) = cx.guild_for(GuildAction::PassLeadership, self.guild_id).await?;
        let successor = cx.member(&guild, &self.character).await?;
        if successor.rank == GuildRank::Leader {
            return Err(GuildRefusal::AlreadyLeader.into());
        }
        cx.must_be_offline(successor.online || leader.online)?;
        // The stored rank of a leader is vice-leader: it applies after the leadership is passed on.
        sqlx::query!(
            "with successor as (update guild_members set rank = $3 where character_id = $2)
             update guilds set leader_id = $2 where guild_id = $1",
            guild.guild_id.get(),
            successor.character_id.get(),
            AssignableRank::ViceLeader as _,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.invalidate([guild_key(&guild.name), guilds_key()]);
        let passed = LeadershipPassed {
            guild_id: guild.guild_id,
            leader_id: successor.character_id,
            former_leader_id: guild.leader_id,
        };
        cx.publish("guild.leadership_passed", &passed);
        Ok(passed)
    }
}
