//! The endpoints of the logos of guilds, and the bodies of their requests.

use std::marker::PhantomData;

use base64::{Engine, engine::general_purpose::STANDARD};
use guildhall_common::{
    contract::{
        command::Refusal,
        guild::{
            ChangeLogo, GuildId, GuildRefusal, LogoHash, LogoId, LogoSize, ModerateLogo, PictureType,
            RemoveLogo,
        },
        values::Reason,
    },
    invalid_value::{InvalidValue, ValueFormat},
    openapi_schema,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    auth::SenderOf,
    guild::stored_picture::StoredPicture,
    http::{
        client_address::ClientAddress, command_request::CommandRequest, command_response::CommandResponse,
        json::JsonBody, parameters::Path, problem::Problem,
    },
    openapi::Tag,
    pictures::{
        logo::draw_logo,
        pool::PictureKind,
        response::{AnyPicture, Picture},
    },
    state::State,
};

pub(crate) struct GuildLogos {
    pub state: State,
}

/// A picture file. Its length is limited by the body of its request.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct PictureFile(Vec<u8>);

impl std::str::FromStr for PictureFile {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let invalid = |_| InvalidValue::format(ValueFormat::Base64, "must be Base64");
        STANDARD.decode(text).map(Self).map_err(invalid)
    }
}

impl TryFrom<String> for PictureFile {
    type Error = InvalidValue;

    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}

impl From<PictureFile> for String {
    fn from(file: PictureFile) -> Self {
        STANDARD.encode(file.0)
    }
}

impl std::fmt::Debug for PictureFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
}

openapi_schema!(named PictureFile, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
    schema.description = Some("A PNG, JPEG or WebP file of at most 1 MiB, in Base64.");
    schema.format = Some("byte");
    schema.example = Some(PIXEL.into());
});

/// A PNG with one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPY0aYNAANjAWqQ8s5cAAAAAElFTkSuQmCC";

/// The new logo of a guild.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewLogo {
    guild_id: GuildId,
    /// At most 4096 pixels wide and high, and at most 4,194,304 pixels in total (2048 × 2048).
    image: PictureFile,
}

/// The guild whose logo is removed.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct LogoToRemove {
    guild_id: GuildId,
}

/// The guild whose logo breaks the rules of the site.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct LogoToModerate {
    guild_id: GuildId,
    /// The logo that you have seen. If the guild has another one by now, the request is refused.
    logo: Option<LogoHash>,
    reason: Reason,
    /// Whether no guild may show this logo any more. It then disappears from all guilds. A changed picture is another logo.
    #[serde(default)]
    #[oai(default)]
    block: bool,
}

#[OpenApi(tag = "Tag::Guilds")]
impl GuildLogos {
    /// Change the logo
    ///
    /// The leader and the vice-leaders may change it. The logo is the square in the middle of the picture. Of a moving picture it
    /// is the first frame. Metadata is removed.
    #[oai(path = "/guild/change-logo", method = "post", operation_id = "guild_change_logo")]
    async fn change(
        &self,
        caller: SenderOf<ChangeLogo>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<NewLogo>,
    ) -> Result<CommandResponse<ChangeLogo>, Problem> {
        self.state.rate_limits.try_logo_change(caller.0.account_id()?)?;
        let NewLogo { guild_id, image } = body.0;
        let drawn = self
            .state
            .pictures
            .run(PictureKind::Logo, address.network(), move || draw_logo(&image.0))
            .await?;
        let pictures = drawn.map_err(|error| Problem::invalid("/image", error.into()))?;
        self.state.commands.send(&request, &caller, ChangeLogo { guild_id, pictures }).await
    }

    /// Remove the logo
    ///
    /// The leader and the vice-leaders may remove it.
    #[oai(path = "/guild/remove-logo", method = "post", operation_id = "guild_remove_logo")]
    async fn remove(
        &self,
        caller: SenderOf<RemoveLogo>,
        request: CommandRequest,
        body: JsonBody<LogoToRemove>,
    ) -> Result<CommandResponse<RemoveLogo>, Problem> {
        let command = RemoveLogo { guild_id: body.guild_id };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Remove a logo that breaks the rules of the site
    ///
    /// Editors may remove and block the logo of any guild. The reason is stored in the audit log.
    #[oai(path = "/guild/moderate-logo", method = "post", operation_id = "guild_moderate_logo")]
    async fn moderate(
        &self,
        caller: SenderOf<ModerateLogo>,
        request: CommandRequest,
        body: JsonBody<LogoToModerate>,
    ) -> Result<CommandResponse<ModerateLogo>, Problem> {
        let LogoToModerate { guild_id, logo, reason, block } = body.0;
        let command = ModerateLogo { guild_id, logo, reason, block };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Get a logo
    ///
    /// A square of 32 (`small`), 128 (`medium`) or 512 (`large`) pixels, as WebP or JPEG of at most 64 KiB. The picture of a hash never
    /// changes, so browsers and proxies may keep it.
    #[oai(path = "/guild/logo/:hash/:size", method = "get", operation_id = "guild_logo")]
    async fn get(&self, hash: Path<LogoHash>, size: Path<LogoSize>) -> Result<Picture<AnyPicture>, Problem> {
        let picture = sqlx::query!(
            r#"select logo_id as "logo_id: LogoId", media_type as "media_type: PictureType", bytes from logos join logo_pictures using (logo_id)
               where hash = $1 and size = $2 and blocked_at is null"#,
            &*hash.0,
            size.0 as LogoSize,
        )
        .fetch_optional(&self.state.database)
        .await?
        .ok_or_else(|| GuildRefusal::LogoNotFound.refused())?;
        let stored = StoredPicture { logo_id: picture.logo_id, size: size.0, bytes: picture.bytes };
        Ok(Picture {
            bytes: stored.read(&self.state).await?,
            media_type: picture.media_type.media_type(),
            etag: format!("{}-{}", &*hash.0, size.0.pixels()),
            cache_control: "public, max-age=31536000, immutable",
            documented: PhantomData,
        })
    }
}

guildhall_common::examples! {
    NewLogo { "guild_id": 1, "image": PIXEL }
    LogoToRemove { "guild_id": 1 }
    LogoToModerate { "guild_id": 1, "reason": "An insult.", "block": true }
}
