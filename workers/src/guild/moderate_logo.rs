//! Removes the logo of any guild, as a member of the staff, and blocks it if it must not come back.

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::Failure,
    guild::{GuildId, GuildRefusal, LogoRemoved, ModerateLogo, guild_key},
};
use serde_json::json;

use crate::engine::{audit::Entry, context::Context, rule::Rule};

impl Rule for ModerateLogo {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<LogoRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let removed = sqlx::query!(
            "update guilds set logo_id = null from logos
             where guild_id = $1 and logos.logo_id = guilds.logo_id and hash = coalesce($2, hash)
             returning logos.logo_id, hash",
            guild.guild_id.get(),
            self.logo.as_deref(),
        )
        .fetch_optional(&mut *cx.db)
        .await?;
        let Some(removed) = removed else { return Err(refusal(cx, self.guild_id).await?.into()) };
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

/// Why no logo was removed.
async fn refusal(cx: &mut Context<'_>, guild_id: GuildId) -> sqlx::Result<GuildRefusal> {
    let has_logo = sqlx::query_scalar!(
        r#"select logo_id is not null as "has_logo!" from guilds where guild_id = $1"#,
        guild_id.get()
    );
    let has_logo = has_logo.fetch_one(&mut *cx.db).await?;
    Ok(if has_logo { GuildRefusal::LogoHasChanged } else { GuildRefusal::LogoNotFound })
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
