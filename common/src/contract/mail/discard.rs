//! The command `mail.discard`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::MailRefusal, values::MailId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Gives up a parked mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardMail {
    pub mail_id: MailId,
}

/// A mail was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MailDiscarded {
    pub mail_id: MailId,
}

impl Declaration for DiscardMail {
    type Output = MailDiscarded;
    type Refusal = MailRefusal;

    const NAME: &'static str = "mail.discard";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [MailRefusal] = &[MailRefusal::MailNotFound, MailRefusal::MailNotParked];
    const EXAMPLE: &'static str = r#"{"mail_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    MailDiscarded { "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}
