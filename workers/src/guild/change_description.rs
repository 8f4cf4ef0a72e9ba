use guildhall_common::contract::{
    command::Failure,
    guild::{ChangeDescription, GuildChanged, guild_key, guilds_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for ChangeDescription {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildChanged, Failure> {
        let (guild, _) = cx.guild_as_leading(self.guild_id).await?;
        let changed = sqlx::query_as!(
            GuildChanged,
            "update guilds set description = $2 where guild_id = $1 returning guild_id, motd, description",
            guild.guild_id,
            &*self.description,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.stale([guild_key(&guild.name), guilds_key()]);
        Ok(changed)
    }
}
