//! Mails: what an administrator does with those that could not be sent.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    actor::Actor,
    partition_key::{PartitionKey, Partitioned},
};
use crate::{domain, refusals, uuid_ids};

domain! {
    MailCommand = "mail" {
        "mail.resend" => ResendMail -> MailResent,
        "mail.discard" => DiscardMail -> MailDiscarded,
    }
}

impl Partitioned for MailCommand {
    const IS_PARTITIONED: bool = false;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

uuid_ids! {
    /// The id of a mail. The `Message-ID` of the mail contains it.
    MailId
}

/// Sends a parked mail again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendMail {
    pub mail_id: MailId,
}

/// Gives up a parked mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardMail {
    pub mail_id: MailId,
}

/// A mail will be sent again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MailResent {
    pub mail_id: MailId,
}

/// A mail was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct MailDiscarded {
    pub mail_id: MailId,
}

refusals! {
    MailRefusal {
        NotFound MailNotFound "mail_not_found" "This mail does not exist.";
        Conflict MailNotParked "mail_not_parked" "This mail is not parked.";
        Conflict MailExpired "mail_expired" "The link in this mail has expired.";
    }
}

crate::examples! {
    MailResent { "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
    MailDiscarded { "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}

crate::wire_forms! {
    MailCommand r#"
        {"name":"mail.resend","body":{"mail_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
        {"name":"mail.discard","body":{"mail_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}}
    "#
}
