//! The link preview of a guild.

use std::time::Duration;

use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        command::Refusal,
        guild::{GuildName, GuildRefusal, guild_key},
    },
    platform::cache::Cacheable,
};

use crate::{
    guild::guilds::TTL,
    http::{
        percent::encoded,
        problem::Problem,
        share_page::{Preview, PreviewImage, SharePage},
    },
    state::State,
};

/// The page becomes stale together with the view of its guild.
struct SharedGuild<'a>(&'a GuildName);

impl Cacheable for SharedGuild<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        guild_key(self.0)
    }

    fn field(&self) -> String {
        "share".to_owned()
    }
}

/// # Errors
/// 404 when the guild does not exist or the site has no address; 503 when the database does not respond.
pub(super) async fn page(state: &State, name: &GuildName) -> Result<SharePage, Problem> {
    let site_url = state.require_site_url()?;
    let load = async || {
        let guild = sqlx::query!(
            r#"select name, coalesce(nullif(motd, ''), description) as "text!", kept_members as members
               from guilds where name_key = $1"#,
            name.key(),
        )
        .fetch_optional(&state.database)
        .await?
        .ok_or_else(|| GuildRefusal::GuildNotFound.refused())?;
        let name_in_path = encoded(&guild.name);
        let members = match guild.members {
            1 => "1 member".to_owned(),
            members => format!("{members} members"),
        };
        let text = guild.text.trim();
        let preview = Preview {
            language: &state.site_language,
            site_name: &state.site_name,
            url: &site_url.page(&format!("/guilds/{name_in_path}")),
            title: &guild.name,
            description: &if text.is_empty() { members } else { format!("{members} · {text}") },
            image: Some(PreviewImage::Card(&site_url.api(&format!("/guild/card/{name_in_path}.png")))),
        };
        Ok(preview.to_html())
    };
    SharePage::cached(&state.cache, &SharedGuild(name), load).await
}
