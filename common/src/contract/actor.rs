//! The sender of a command, and the ids that identify it.

use serde::{Deserialize, Serialize};

use crate::id_types;

id_types! {
    /// The id of an account.
    AccountId
    /// The id of a service token.
    ServiceTokenId
}

/// The sender of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A request without a token.
    #[serde(rename = "nobody")]
    Anonymous,
    /// A signed-in account.
    Account(AccountId),
    /// A game server, by its service token.
    Service(ServiceTokenId),
}

impl Actor {
    #[must_use]
    pub fn account_id(self) -> Option<AccountId> {
        match self {
            Self::Account(id) => Some(id),
            Self::Anonymous | Self::Service(_) => None,
        }
    }

    #[must_use]
    pub fn service_token_id(self) -> Option<ServiceTokenId> {
        match self {
            Self::Service(id) => Some(id),
            Self::Anonymous | Self::Account(_) => None,
        }
    }
}
