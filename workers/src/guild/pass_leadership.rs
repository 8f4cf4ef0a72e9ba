use guildhall_common::contract::{
    command::Failure,
    guild::{GuildRank, GuildRefusal, LeadershipPassed, PassLeadership, guild_key, guilds_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for PassLeadership {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<LeadershipPassed, Failure> {
        let guild = cx.guild_as_leader(self.guild_id).await?;
        let heir = cx.member(&guild, &self.character).await?;
        if heir.rank == GuildRank::Leader {
            return Err(GuildRefusal::AlreadyLeader.into());
        }
        let leader_online =
            sqlx::query_scalar!("select online from characters where character_id = $1", guild.leader_id)
                .fetch_one(&mut *cx.db)
                .await?;
        cx.must_be_offline(heir.online || leader_online)?;
        // A leader's stored rank is vice-leader: that is what they are the moment another leads.
        sqlx::query!("update guild_members set rank = 2 where character_id = $1", heir.character_id)
            .execute(&mut *cx.db)
            .await?;
        sqlx::query!(
            "update guilds set leader_id = $2 where guild_id = $1",
            guild.guild_id,
            heir.character_id,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.stale([guild_key(&guild.name), guilds_key()]);
        let passed = LeadershipPassed {
            guild_id: guild.guild_id,
            leader_id: heir.character_id,
            former_leader_id: guild.leader_id,
        };
        cx.event("guild.leadership_passed", &passed);
        Ok(passed)
    }
}
