//! The envelope of a queued command.

use anyhow::{Context, ensure};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Domain, OperationId};
use crate::contract::{
    actor::Actor,
    idempotency_key::{Fingerprint, KeyUse},
};

/// A command with its metadata, as it is queued.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "D: DeserializeOwned"))]
pub struct Envelope<D> {
    /// The version of the envelope. A changed command is a new variant instead.
    pub version: u8,
    pub operation_id: OperationId,
    pub actor: Actor,
    pub accepted_at: DateTime<Utc>,
    /// The `X-Request-Id` of the request.
    pub request_id: String,
    /// The W3C `traceparent` of the request, if it had one.
    pub traceparent: Option<String>,
    pub fingerprint: Fingerprint,
    /// The uses of the request's idempotency key: one per secret of the site, or none without a key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_uses: Vec<KeyUse>,
    pub command: D,
}

impl<D> Envelope<D> {
    /// The version that the api writes.
    pub const VERSION: u8 = 2;

    /// The versions that a worker reads. An api of version 0.3.0 writes 1 for a command without uses of keys.
    const READ_VERSIONS: [u8; 2] = [1, Self::VERSION];
}

impl<D: Domain> Envelope<D> {
    /// Reads a message of the domain's queue.
    ///
    /// # Errors
    /// The message is not an envelope of these versions with a command of this domain.
    pub fn decode(body: &[u8]) -> anyhow::Result<Self> {
        let envelope: Self = serde_json::from_slice(body).context("the message cannot be decoded")?;
        ensure!(
            Self::READ_VERSIONS.contains(&envelope.version),
            "the envelope has version {}, but this worker supports only 1 and 2",
            envelope.version,
        );
        Ok(envelope)
    }
}
