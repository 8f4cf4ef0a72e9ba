//! Deletes a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{DeleteGuild, GuildAction, GuildDeleted},
};

use crate::engine::rule::{Context, Rule};

impl Rule for DeleteGuild {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildDeleted, Failure> {
        let guild = cx.guild_for(GuildAction::Delete, self.guild_id).await?;
        // The foreign keys delete the members and the invites too.
        sqlx::query!("delete from guilds where guild_id = $1", guild.guild_id.get())
            .execute(&mut *cx.db)
            .await?;
        cx.invalidate_guild(&guild.name);
        let deleted = GuildDeleted { guild_id: guild.guild_id };
        cx.publish("guild.deleted", &deleted);
        Ok(deleted)
    }
}
