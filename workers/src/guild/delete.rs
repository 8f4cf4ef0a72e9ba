use guildhall_common::contract::{
    command::Failure,
    guild::{DeleteGuild, GuildDeleted},
};

use crate::engine::rule::{Context, Rule};

impl Rule for DeleteGuild {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildDeleted, Failure> {
        let guild = cx.guild_as_leader(self.guild_id).await?;
        // As lock_character does, in the order of the game's own updates.
        sqlx::query!(
            "select from characters join guild_members using (character_id)
             where guild_id = $1 order by name_key for no key update of characters",
            guild.guild_id,
        )
        .execute(&mut *cx.db)
        .await?;
        // Members and invites go with it.
        sqlx::query!("delete from guilds where guild_id = $1", guild.guild_id).execute(&mut *cx.db).await?;
        cx.membership_changed(&guild.name);
        let deleted = GuildDeleted { guild_id: guild.guild_id };
        cx.event("guild.deleted", &deleted);
        Ok(deleted)
    }
}
