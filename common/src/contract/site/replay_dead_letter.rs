//! The command `dead_letter.replay`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::SiteRefusal, values::DeadLetterId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Publishes a dead letter to its queue again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayDeadLetter {
    pub dead_letter_id: DeadLetterId,
}

/// A dead letter is in its queue again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeadLetterReplayed {
    pub dead_letter_id: DeadLetterId,
}

impl Declaration for ReplayDeadLetter {
    type Output = DeadLetterReplayed;
    type Refusal = SiteRefusal;

    const NAME: &'static str = "dead_letter.replay";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [SiteRefusal] =
        &[SiteRefusal::DeadLetterNotFound, SiteRefusal::DeadLetterTooOld, SiteRefusal::QueueRejected];
    const EXAMPLE: &'static str = r#"{"dead_letter_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    DeadLetterReplayed { "dead_letter_id": 1 }
}
