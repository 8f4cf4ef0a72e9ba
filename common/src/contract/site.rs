//! What administrators do with the site itself: dead letters, and the tokens of game servers.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    actor::{Actor, ServiceTokenId},
    partition_key::{PartitionKey, Partitioned},
    values::TITLE,
};
use crate::{domain, id_types, refusals, text_types};

domain! {
    SiteCommand = "site" {
        "dead_letter.replay" => ReplayDeadLetter -> DeadLetterReplayed,
        "dead_letter.discard" => DiscardDeadLetter -> DeadLetterDiscarded,
        "service_token.create" => CreateServiceToken -> ServiceTokenCreated,
        "service_token.revoke" => RevokeServiceToken -> ServiceTokenRevoked,
    }
}

impl Partitioned for SiteCommand {
    const IS_PARTITIONED: bool = false;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

id_types! {
    /// The id of a dead letter.
    DeadLetterId
}

text_types! {
    /// The name of a service token. It is unique, revoked tokens included.
    ServiceTokenName { 1 ..= 60, TITLE, "World 1" }
}

/// Publishes a dead letter to its queue again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayDeadLetter {
    pub dead_letter_id: DeadLetterId,
}

/// Gives up a dead letter.
#[derive(Debug, Serialize, Deserialize)]
pub struct DiscardDeadLetter {
    pub dead_letter_id: DeadLetterId,
}

/// Creates a service token. The api has made the token and knows it alone.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateServiceToken {
    pub name: ServiceTokenName,
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// Makes a service token invalid.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeServiceToken {
    pub service_token_id: ServiceTokenId,
}

/// A dead letter is in its queue again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeadLetterReplayed {
    pub dead_letter_id: DeadLetterId,
}

/// A dead letter was given up.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeadLetterDiscarded {
    pub dead_letter_id: DeadLetterId,
}

/// A service token was created.
#[derive(Debug, Serialize, Deserialize)]
pub struct ServiceTokenCreated {
    pub service_token_id: ServiceTokenId,
}

/// A service token is invalid.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct ServiceTokenRevoked {
    pub service_token_id: ServiceTokenId,
}

refusals! {
    SiteRefusal {
        NotFound DeadLetterNotFound "dead_letter_not_found" "This dead letter does not exist.";
        Conflict DeadLetterTooOld "dead_letter_too_old" "This dead letter is too old. If its sender has sent the command again, a replay would apply it twice.";
        Conflict QueueRejected "queue_rejected" "Its queue is full or missing. Replay it later, or discard it.";
        NotFound ServiceTokenNotFound "service_token_not_found" "This service token does not exist.";
        Conflict ServiceTokenNameTaken "service_token_name_taken" "Another service token has this name. It may be a revoked one.";
        Conflict AlreadyRevoked "service_token_already_revoked" "This service token is already revoked.";
    }
}

/// The name of the command in the redacted message of a dead letter.
#[must_use]
pub fn command_name(redacted: &str) -> Option<String> {
    let message: Value = serde_json::from_str(redacted).ok()?;
    let name = message.pointer("/command/name")?.as_str()?;
    // A text that is no name is redacted.
    name.bytes().all(|byte| byte.is_ascii_lowercase() || b"._".contains(&byte)).then(|| name.to_owned())
}

crate::examples! {
    DeadLetterReplayed { "dead_letter_id": 1 }
    DeadLetterDiscarded { "dead_letter_id": 1 }
    ServiceTokenRevoked { "service_token_id": 2 }
}

crate::wire_forms! {
    SiteCommand r#"
        {"name":"dead_letter.replay","body":{"dead_letter_id":1}}
        {"name":"dead_letter.discard","body":{"dead_letter_id":1}}
        {"name":"service_token.create","body":{"name":"World 1","token_hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
        {"name":"service_token.revoke","body":{"service_token_id":2}}
    "#
}

#[cfg(test)]
mod tests {
    use super::command_name;

    #[test]
    fn a_command_is_named_unless_its_name_is_redacted() {
        let named = |name: &str| command_name(&format!(r#"{{"command":{{"name":"{name}"}}}}"#));
        assert_eq!(named("guild.change_motd").as_deref(), Some("guild.change_motd"));
        assert_eq!(named("…"), None);
        assert_eq!(command_name("10 bytes that are no JSON"), None);
    }
}
