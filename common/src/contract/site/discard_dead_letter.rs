//! The command `dead_letter.discard`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::SiteRefusal, values::DeadLetterId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Gives up a dead letter.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardDeadLetter {
    pub dead_letter_id: DeadLetterId,
}

/// A dead letter was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeadLetterDiscarded {
    pub dead_letter_id: DeadLetterId,
}

impl Declaration for DiscardDeadLetter {
    type Output = DeadLetterDiscarded;
    type Refusal = SiteRefusal;

    const NAME: &'static str = "dead_letter.discard";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [SiteRefusal] = &[SiteRefusal::DeadLetterNotFound];
    const EXAMPLE: &'static str = r#"{"dead_letter_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeadLetterDiscarded { "dead_letter_id": 1 }
}
