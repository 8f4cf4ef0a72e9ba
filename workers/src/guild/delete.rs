//! Deletes a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{DeleteGuild, GuildAction, GuildDeleted},
};

use crate::{
    engine::rule::{Context, Rule},
    guild::membership,
};

impl Rule for DeleteGuild {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildDeleted, Failure> {
        let (guild, _) = cx.guild_for(GuildAction::Delete, self.guild_id).await?;
        // It locks the characters of all members, in the order in which updates by game servers lock them.
        sqlx::query!(
            "select from characters join guild_members using (character_id)
             where guild_id = $1 order by name_key for no key update of characters",
            guild.guild_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        // The foreign keys delete the members and the invites too.
        sqlx::query!("delete from guilds where guild_id = $1", guild.guild_id.get())
            .execute(&mut *cx.db)
            .await?;
        membership::invalidate(cx, &guild.name);
        let deleted = GuildDeleted { guild_id: guild.guild_id };
        cx.publish("guild.deleted", &deleted);
        Ok(deleted)
    }
}
