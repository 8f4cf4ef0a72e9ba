//! The payment providers.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// The payment provider: it registers charges and reports receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Provider {
    /// A bank that offers the central bank's API Pix.
    ApiPix,
    /// A bank account without an API. Its owner's own program sends signed notifications.
    Manual,
}

impl Provider {
    pub const ALL: [Self; 2] = [Self::ApiPix, Self::Manual];

    /// The name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiPix => "api_pix",
            Self::Manual => "manual",
        }
    }
}
