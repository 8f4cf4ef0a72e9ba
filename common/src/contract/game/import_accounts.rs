//! The command `game.import_accounts`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::{
    contract::{
        account::AccountId,
        actor::Actor,
        command::{Declaration, Sender},
        partition_key::PartitionKey,
        values::{LINE, Timestamp},
    },
    text_types,
};

text_types! {
    /// The id of an account in the game. It never changes, and no two accounts have the same one.
    GameAccountId { 1 ..= 64, r"^[!-~]+$", "world-1:42" }
    /// The name of an account in the game.
    GameAccountName { 1 ..= 255, LINE, "1234567" }
    /// The e-mail address of an account in the game, which may be invalid.
    GameAccountEmail { 0 ..= 255, LINE, "mira@example.org" }
}

/// Creates accounts of a game that do not exist yet.
#[derive(Debug, Serialize, Deserialize)]
pub struct ImportAccounts {
    pub accounts: Vec<GameAccount>,
}

/// An account of a game. The api has hashed its password again.
#[derive(Debug, Serialize, Deserialize)]
pub struct GameAccount {
    pub game_account_id: GameAccountId,
    pub name: GameAccountName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<GameAccountEmail>,
    /// The scheme of the game, `|`, and a PHC string of argon2id. None: the account has no password yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

/// Accounts were imported.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountsImported {
    /// In the order of the request.
    pub accounts: Vec<ImportedAccount>,
}

/// An account that was imported, now or before.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct ImportedAccount {
    pub game_account_id: GameAccountId,
    pub account_id: AccountId,
    /// The name on the site.
    pub name: String,
    /// Whether this request has created the account. Otherwise the request has changed nothing.
    pub created: bool,
    /// Whether the owner can log in with the name of the game.
    pub has_game_login: bool,
    /// Whether the account has an address. An address of the game is not verified.
    pub has_email: bool,
    /// Whether the account has the password of the game, or another one.
    pub has_password: bool,
}

impl Declaration for ImportAccounts {
    type Output = AccountsImported;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.import_accounts";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[GameRefusal::ImportNotAllowed];
    const EXAMPLE: &'static str = r#"{"accounts":[{"game_account_id":"world-1:42","name":"1234567","email":"mira@example.org","password_hash":"sha1|$argon2id$","created_at":"2020-01-31T12:00:00Z"}]}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    AccountsImported { "accounts": [{
        "game_account_id": "world-1:42", "account_id": 3, "name": "p1234567", "created": true, "has_game_login": true,
        "has_email": true, "has_password": true
    }] }
}
