//! Link codes: a player types a code of the site in the game, so that the game learns the account of the player.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{contract::actor::AccountId, text_types};

text_types! {
    /// A link code. Upper and lower case, hyphens and spaces do not matter.
    LinkCode { 8 ..= 20, r"^[0-9A-Za-z -]+$", "K7QF-3MPX" }
}

impl LinkCode {
    /// The code as it is hashed.
    #[must_use]
    pub fn normalized(&self) -> String {
        self.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_uppercase()).collect()
    }
}

/// Replaces the link code of the account. A command of the domain `account`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateLinkCode {
    /// SHA-256 of the code, in hex.
    pub code_hash: String,
}

/// The link code was replaced.
#[derive(Debug, Serialize, Deserialize)]
pub struct LinkCodeCreated {
    pub expires_at: DateTime<Utc>,
}

/// Finds the account of a link code, which becomes invalid. A command of the domain `game`.
#[derive(Debug, Serialize, Deserialize)]
pub struct UseLinkCode {
    /// SHA-256 of the code, in hex.
    pub code_hash: String,
}

/// The account of the player who has typed the code.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct LinkCodeUsed {
    pub account_id: AccountId,
    pub account_name: String,
}

crate::examples! {
    LinkCodeUsed { "account_id": 3, "account_name": "mira" }
}
