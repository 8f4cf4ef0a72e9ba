//! What other sites show of a guild: its link preview and its share card.

use std::{marker::PhantomData, net::IpAddr, time::Duration};

use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        command::Refusal,
        guild::{GuildName, GuildRefusal, LogoId, LogoSize, guild_key},
    },
    platform::cache::{Cacheable, CachedBody},
    text_types,
};
use poem::web::Data;
use poem_openapi::OpenApi;

use crate::{
    guild::{guilds::TTL, share, stored_picture::StoredPicture},
    http::{client_address::ClientAddress, parameters::Path, problem::Problem, share_page::SharePage},
    openapi::Tag,
    pictures::{
        card::Card,
        pool::PictureKind,
        response::{Picture, Png},
    },
    state::State,
};

pub(crate) struct GuildCards {
    pub state: State,
}

text_types! {
    /// The name of a guild and `.png`, not case-sensitive.
    CardFile { 7 ..= 34, r"^[A-Za-z0-9]+([ '-][A-Za-z0-9]+)*\.png$", "Night Watch.png" }
}

/// A card becomes stale together with the view of its guild.
struct OneCard<'a>(&'a GuildName);

impl Cacheable for OneCard<'_> {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        guild_key(self.0)
    }

    fn field(&self) -> String {
        "card".to_owned()
    }
}

#[OpenApi(tag = "Tag::Guilds")]
impl GuildCards {
    /// Get the link preview of a guild
    ///
    /// An HTML page with the [Open Graph](https://ogp.me) tags of the guild's page: its name, a text and its share card.
    #[oai(path = "/guild/share/:name", method = "get", operation_id = "guild_share")]
    async fn share(&self, name: Path<GuildName>) -> Result<SharePage, Problem> {
        share::page(&self.state, &name.0).await
    }

    /// Get the share card of a guild
    ///
    /// The picture of a link to the guild on other sites (`og:image`), 1200 × 630 pixels. It shows the logo, the name, the leader and
    /// the number of members. Without a logo, it shows a coat of arms that is computed from the name. Last comes the message of the day, or else
    /// the description.
    #[oai(path = "/guild/card/:file", method = "get", operation_id = "guild_card")]
    async fn card(
        &self,
        address: Data<&ClientAddress>,
        file: Path<CardFile>,
    ) -> Result<Picture<Png>, Problem> {
        let name = file.0.trim_end_matches(".png").parse::<GuildName>();
        let name = name.map_err(|_| GuildRefusal::GuildNotFound.refused())?;
        let draw = || self.draw(&name, address.network());
        let card = self.state.cache.get_or_load(&OneCard(&name), draw).await?;
        Ok(Picture {
            bytes: card.body,
            media_type: "image/png",
            etag: card.etag,
            cache_control: "public, no-cache",
            documented: PhantomData,
        })
    }
}

impl GuildCards {
    async fn draw(&self, name: &GuildName, network: IpAddr) -> Result<CachedBody, Problem> {
        let State { database, pictures, site_name, .. } = &self.state;
        let row = sqlx::query!(
            r#"select guilds.name, leader.name as leader_name, coalesce(nullif(motd, ''), description) as "text!",
                      kept_members as members,
                      logo_pictures.logo_id as "logo_id?: LogoId", bytes
               from guilds join characters leader on leader.character_id = leader_id
               left join logos on logos.logo_id = guilds.logo_id and blocked_at is null
               left join logo_pictures on logo_pictures.logo_id = logos.logo_id and size = 'large'
               where guilds.name_key = $1"#,
            name.key(),
        )
        .fetch_optional(database)
        .await?
        .ok_or_else(|| GuildRefusal::GuildNotFound.refused())?;
        let logo = match row.logo_id {
            Some(logo_id) => {
                let picture = StoredPicture { logo_id, size: LogoSize::Large, bytes: row.bytes };
                Some(picture.read(&self.state).await?)
            }
            None => None,
        };
        let card = Card {
            name: row.name,
            leader_name: row.leader_name,
            members: row.members,
            text: row.text,
            logo,
            site_name: site_name.to_string(),
        };
        let drawn = pictures.run(PictureKind::Card, network, move || card.draw()).await?;
        let png = drawn.map_err(|error| Problem::internal("card was not drawn", &error))?;
        Ok(CachedBody::new(png, None))
    }
}
