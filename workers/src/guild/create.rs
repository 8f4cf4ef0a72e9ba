use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    guild::{CreateGuild, GuildCreated, GuildRefusal},
};

use crate::engine::rule::{Context, Rule};

impl Rule for CreateGuild {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildCreated, Failure> {
        let leader = cx.own_character(&self.leader).await?;
        let leader = cx.lock_character(leader.character_id).await?;
        if leader.level < cx.settings.guild_minimum_level {
            return Err(GuildRefusal::LevelTooLow.into());
        }
        cx.must_be_offline(leader.online)?;
        let guild_id = sqlx::query_scalar!(
            "insert into guilds (name, leader_id) values ($1, $2) returning guild_id",
            &*self.name,
            leader.character_id,
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint("guilds_name_unique", GuildRefusal::NameTaken)?;
        super::accept_invite::join(cx, guild_id, leader.character_id, 2).await?;
        cx.membership_changed(&self.name);
        let created = GuildCreated { guild_id, name: self.name.to_string(), leader_id: leader.character_id };
        cx.event("guild.created", &created);
        Ok(created)
    }
}
