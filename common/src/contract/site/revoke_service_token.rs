//! The command `service_token.revoke`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::SiteRefusal;
use crate::contract::{
    actor::{Actor, ServiceTokenId},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Makes a service token invalid.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeServiceToken {
    pub service_token_id: ServiceTokenId,
}

/// A service token is invalid.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct ServiceTokenRevoked {
    pub service_token_id: ServiceTokenId,
}

impl Declaration for RevokeServiceToken {
    type Output = ServiceTokenRevoked;
    type Refusal = SiteRefusal;

    const NAME: &'static str = "service_token.revoke";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [SiteRefusal] =
        &[SiteRefusal::ServiceTokenNotFound, SiteRefusal::AlreadyRevoked];
    const EXAMPLE: &'static str = r#"{"service_token_id":2}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    ServiceTokenRevoked { "service_token_id": 2 }
}
