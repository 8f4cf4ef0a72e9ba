//! The command `account.end_other_sessions`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::SessionId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Ends all sessions of the account except one.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndOtherSessions {
    pub kept: SessionId,
}

/// Sessions were ended. Their tokens are invalid from now on.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SessionsEnded {
    /// The number of ended sessions.
    pub ended: u32,
}

impl Declaration for EndOtherSessions {
    type Output = SessionsEnded;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.end_other_sessions";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [AccountRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"kept":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    SessionsEnded { "ended": 2 }
}
