//! The command `game.use_link_code`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Finds the account of a link code, which becomes invalid.
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

impl Declaration for UseLinkCode {
    type Output = LinkCodeUsed;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.use_link_code";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[GameRefusal::LinkCodeNotFound];
    const EXAMPLE: &'static str = r#"{"code_hash":"00ff"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    LinkCodeUsed { "account_id": 3, "account_name": "mira" }
}
