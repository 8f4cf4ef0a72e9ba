//! The command `service_token.allow_import`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::SiteRefusal;
use crate::contract::{
    actor::{Actor, ServiceTokenId},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Allows a game server to import accounts, for a day.
#[derive(Debug, Serialize, Deserialize)]
pub struct AllowImport {
    pub service_token_id: ServiceTokenId,
}

/// The game server may import accounts.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct ImportAllowed {
    pub service_token_id: ServiceTokenId,
    pub until: DateTime<Utc>,
}

impl Declaration for AllowImport {
    type Output = ImportAllowed;
    type Refusal = SiteRefusal;

    const NAME: &'static str = "service_token.allow_import";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [SiteRefusal] =
        &[SiteRefusal::ServiceTokenNotFound, SiteRefusal::AlreadyRevoked];
    const EXAMPLE: &'static str = r#"{"service_token_id":2}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    ImportAllowed { "service_token_id": 2, "until": "2030-02-01T12:00:00Z" }
}
