//! The command `mail.resend`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::MailRefusal, values::MailId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Sends a parked mail again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendMail {
    pub mail_id: MailId,
}

/// A mail will be sent again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MailResent {
    pub mail_id: MailId,
}

impl Declaration for ResendMail {
    type Output = MailResent;
    type Refusal = MailRefusal;

    const NAME: &'static str = "mail.resend";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [MailRefusal] =
        &[MailRefusal::MailNotFound, MailRefusal::MailNotParked, MailRefusal::MailExpired];
    const EXAMPLE: &'static str = r#"{"mail_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    MailResent { "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}
