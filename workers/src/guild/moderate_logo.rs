//! Removes the logo of any guild, as a member of the team, and blocks it if it must not come back.

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::Failure,
    guild::{GuildRefusal, LogoRemoved, ModerateLogo, guild_key},
};
use serde_json::json;

use crate::engine::{
    audit::Entry,
    rule::{Context, Rule},
};

impl Rule for ModerateLogo {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LogoRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let removed = sqlx::query!(
            "update guilds set logo_id = null from logos
             where guild_id = $1 and logos.logo_id = guilds.logo_id returning logos.logo_id, hash",
            guild.guild_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(GuildRefusal::LogoNotFound)?;
        if self.block {
            let others = block(cx, removed.logo_id).await?;
            cx.invalidate(others);
        }
        cx.invalidate_guild(&guild.name);
        let details = json!({ "guild_id": guild.guild_id, "logo": removed.hash, "block": self.block });
        let entry = Entry::new("guild.moderate_logo", details);
        cx.audit(entry.text("reason", &self.reason)).await?;
        let removed = LogoRemoved { guild_id: guild.guild_id };
        cx.publish("guild.logo_removed", &removed);
        Ok(removed)
    }
}

/// Blocks a logo. It returns the keys of the other guilds that have it: they show none from now on.
///
/// Their rows are not changed, because this command has no lock on them.
async fn block(cx: &mut Context<'_>, logo_id: i64) -> sqlx::Result<Vec<CacheKey>> {
    sqlx::query!("update logos set blocked_at = now() where logo_id = $1", logo_id)
        .execute(&mut *cx.db)
        .await?;
    // The lock of the update above waits for uploads of the same logo, so this query finds their guilds too.
    let names = sqlx::query_scalar!("select name from guilds where logo_id = $1", logo_id);
    let names = names.fetch_all(&mut *cx.db).await?;
    Ok(names.iter().map(|name| guild_key(name)).collect())
}
