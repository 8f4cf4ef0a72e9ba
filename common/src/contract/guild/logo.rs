//! The logo of a guild: its pictures and its hash.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

use crate::text_types;

text_types! {
    /// The hash of a logo: SHA-256 of its pictures, in hexadecimal digits. Another logo has another hash.
    LogoHash { 64 ..= 64, "^[0-9a-f]{64}$", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }
}

impl sqlx::Type<sqlx::Postgres> for LogoHash {
    fn type_info() -> PgTypeInfo {
        <&str as sqlx::Type<sqlx::Postgres>>::type_info()
    }
}

impl sqlx::Decode<'_, sqlx::Postgres> for LogoHash {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(<&str as sqlx::Decode<sqlx::Postgres>>::decode(value)?.parse()?)
    }
}

/// The size of a picture of a logo. All are squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum LogoSize {
    /// 32 pixels.
    Small,
    /// 128 pixels.
    Medium,
    /// 512 pixels.
    Large,
}

impl LogoSize {
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// The width and the height in pixels.
    #[must_use]
    pub fn pixels(self) -> u32 {
        match self {
            Self::Small => 32,
            Self::Medium => 128,
            Self::Large => 512,
        }
    }
}

/// The media types of the pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[sqlx(type_name = "text")]
pub enum PictureType {
    #[serde(rename = "image/webp")]
    #[sqlx(rename = "image/webp")]
    WebP,
    #[serde(rename = "image/jpeg")]
    #[sqlx(rename = "image/jpeg")]
    Jpeg,
}

impl PictureType {
    /// The header `Content-Type`.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::WebP => "image/webp",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// An encoded picture of at most 64 KiB. In a command it is Base64.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PictureData(Vec<u8>);

impl PictureData {
    /// The maximum number of bytes of a picture.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// None if it is too large.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() <= Self::MAX_BYTES).then_some(Self(bytes))
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl TryFrom<String> for PictureData {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bytes = STANDARD.decode(text).map_err(|_| "must be Base64")?;
        Self::new(bytes).ok_or("must have at most 64 KiB")
    }
}

impl From<PictureData> for String {
    fn from(data: PictureData) -> Self {
        STANDARD.encode(data.0)
    }
}

impl fmt::Debug for PictureData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
}

/// One picture of a logo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoPicture {
    #[serde(rename = "type")]
    pub picture_type: PictureType,
    pub data: PictureData,
}

/// The pictures of a logo, one of each size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoPictures {
    pub small: LogoPicture,
    pub medium: LogoPicture,
    pub large: LogoPicture,
}

impl LogoPictures {
    #[must_use]
    pub fn get(&self, size: LogoSize) -> &LogoPicture {
        match size {
            LogoSize::Small => &self.small,
            LogoSize::Medium => &self.medium,
            LogoSize::Large => &self.large,
        }
    }

    /// SHA-256 of the hashes of the pictures, the smallest first.
    #[must_use]
    pub fn hash(&self) -> LogoHash {
        let hashes = LogoSize::ALL.map(|size| Sha256::digest(self.get(size).data.bytes()));
        LogoHash(hex::encode(Sha256::digest(hashes.concat())))
    }
}
