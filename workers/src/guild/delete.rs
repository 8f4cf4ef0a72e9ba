//! Deletes a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{DeleteGuild, GuildAction, GuildDeleted},
};

use crate::engine::{context::Context, rule::Rule};

impl Rule for DeleteGuild {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildDeleted, Failure> {
        let guild = cx.guild_for(GuildAction::Delete, self.guild_id).await?;
        let has_online_member = sqlx::query_scalar!(
            r#"select exists (select from guild_members join found_characters using (character_id)
                              where guild_members.guild_id = $1 and online) as "has_online_member!""#,
            guild.guild_id.get(),
        );
        let has_online_member = has_online_member.fetch_one(&mut *cx.db).await?;
        cx.must_be_offline(has_online_member)?;
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
