//! Changes the description of a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{ChangeDescription, GuildAction, GuildChanged, GuildId, guild_key, guilds_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for ChangeDescription {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildChanged, Failure> {
        let (guild, _) = cx.guild_for(GuildAction::ChangeDescription, self.guild_id).await?;
        let changed = sqlx::query_as!(
            GuildChanged,
            r#"update guilds set description = $2 where guild_id = $1
               returning guild_id as "guild_id: GuildId", motd, description"#,
            guild.guild_id.get(),
            &*self.description,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.invalidate([guild_key(&guild.name), guilds_key()]);
        cx.publish("guild.description_changed", &changed);
        Ok(changed)
    }
}
