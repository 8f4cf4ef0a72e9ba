//! Makes another member the leader.

use guildhall_common::contract::{
    command::Failure,
    guild::{GuildAction, GuildRank, GuildRefusal, LeadershipPassed, PassLeadership},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::{access::must_stay, succession},
};

impl Rule for PassLeadership {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LeadershipPassed, Failure> {
        let (guild, leader, character) =
            cx.guild_and_character_for(GuildAction::PassLeadership, self.guild_id, &self.character).await?;
        let successor = guild.member(&character)?;
        if successor.rank == GuildRank::Leader {
            return Err(GuildRefusal::AlreadyLeader.into());
        }
        must_stay(&character)?;
        cx.must_be_offline(successor.online || leader.online)?;
        succession::make_leader(cx.db, guild.guild_id, successor.character_id).await?;
        cx.invalidate_guild(&guild.name);
        let passed = LeadershipPassed {
            guild_id: guild.guild_id,
            leader_id: successor.character_id,
            former_leader_id: guild.leader_id,
        };
        cx.publish("guild.leadership_passed", &passed);
        Ok(passed)
    }
}
