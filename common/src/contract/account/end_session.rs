//! The command `account.end_session`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::AccountRefusal, values::SessionId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Ends a session of the account: a log-out.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSession {
    pub session_id: SessionId,
}

/// A session was ended. Its tokens are invalid from now on.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SessionEnded {
    pub session_id: SessionId,
}

impl Declaration for EndSession {
    type Output = SessionEnded;
    type Refusal = AccountRefusal;

    const NAME: &'static str = "account.end_session";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<AccountRefusal> = Some(AccountRefusal::SessionNotFound);
    const REFUSALS: &'static [AccountRefusal] = &[AccountRefusal::SessionNotFound];
    const EXAMPLE: &'static str = r#"{"session_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;
    const IS_ALWAYS_ACCEPTED: bool = true;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    SessionEnded { "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}
