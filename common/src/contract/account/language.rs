//! The languages of mails.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// The language of an account's mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Portuguese of Brazil.
    Pt,
    /// Spanish.
    Es,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::En, Self::Pt, Self::Es];

    /// The code of ISO 639-1.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Pt => "pt",
            Self::Es => "es",
        }
    }
}
