//! Changes the message of the day.

use guildhall_common::contract::{
    command::Failure,
    guild::{ChangeMotd, GuildAction, GuildChanged, GuildId, guild_key, guilds_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for ChangeMotd {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildChanged, Failure> {
        let (guild, _) = cx.guild_for(GuildAction::ChangeMotd, self.guild_id).await?;
        let changed = sqlx::query_as!(
            GuildChanged,
            r#"update guilds set motd = $2 where guild_id = $1
               returning guild_id as "guild_id: GuildId", motd, description"#,
            guild.guild_id.get(),
            &*self.motd,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.invalidate([guild_key(&guild.name), guilds_key()]);
        cx.publish("guild.motd_changed", &changed);
        Ok(changed)
    }
}
