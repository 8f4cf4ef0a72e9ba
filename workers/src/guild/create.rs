//! Creates a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{AssignableRank, CreateGuild, GuildCreated, GuildId, GuildRefusal},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::{access::must_stay, membership},
};

impl Rule for CreateGuild {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildCreated, Failure> {
        let leader = cx.own_character(&self.leader).await?;
        must_stay(&leader)?;
        cx.must_be_confirmed(&leader)?;
        if leader.level < cx.settings.guilds.minimum_level {
            return Err(GuildRefusal::LevelTooLow.into());
        }
        cx.must_be_offline(leader.online)?;
        let guild_id = sqlx::query_scalar!(
            r#"insert into guilds (name, leader_id) values ($1, $2) on conflict on constraint guilds_name_unique do nothing
               returning guild_id as "guild_id: GuildId""#,
            &*self.name,
            leader.character_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(GuildRefusal::NameTaken)?;
        if leader.guild_id.is_some() {
            return Err(GuildRefusal::AlreadyInGuild.into());
        }
        // The stored rank of a leader is vice-leader: it applies after the leadership is passed on.
        membership::join(cx, guild_id, leader.character_id, AssignableRank::ViceLeader).await?;
        cx.invalidate_guild(&self.name);
        let created = GuildCreated { guild_id, name: self.name.to_string(), leader_id: leader.character_id };
        cx.publish("guild.created", &created);
        Ok(created)
    }
}
