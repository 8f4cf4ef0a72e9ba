//! The command `game.renew_presence`.

use serde::{Deserialize, Serialize};

use super::refusal::GameRefusal;
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Renews the lease of the game server on the presence of its characters.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenewPresence;

/// The lease was renewed.
#[derive(Debug, Serialize, Deserialize)]
pub struct PresenceRenewed {}

impl Declaration for RenewPresence {
    type Output = PresenceRenewed;
    type Refusal = GameRefusal;

    const NAME: &'static str = "game.renew_presence";
    const SENDER: Sender = Sender::GameServer;
    const REFUSALS: &'static [GameRefusal] = &[];
    const EXAMPLE: &'static str = r#"null"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}
