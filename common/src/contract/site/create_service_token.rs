//! The command `service_token.create`.

use serde::{Deserialize, Serialize};

use super::{refusal::SiteRefusal, values::ServiceTokenName};
use crate::contract::{
    actor::{Actor, ServiceTokenId},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Creates a service token. The api has made the token and knows it alone.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateServiceToken {
    pub name: ServiceTokenName,
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// A service token was created.
#[derive(Debug, Serialize, Deserialize)]
pub struct ServiceTokenCreated {
    pub service_token_id: ServiceTokenId,
}

impl Declaration for CreateServiceToken {
    type Output = ServiceTokenCreated;
    type Refusal = SiteRefusal;

    const NAME: &'static str = "service_token.create";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [SiteRefusal] = &[SiteRefusal::ServiceTokenNameTaken];
    const EXAMPLE: &'static str = r#"{"name":"World 1","token_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}
