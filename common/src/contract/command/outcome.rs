//! Operations, and the outcomes of their commands.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::refusal::Refused;
use crate::{contract::idempotency_key::Fingerprint, uuid_ids};

uuid_ids! {
    /// The id of an operation: one accepted command.
    OperationId
}

/// The outcome of a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The command took effect. It has this output.
    Applied(Box<RawValue>),
    /// The rules did not allow the command.
    Refused(Refused),
}

/// An operation with its outcome: the reply to a waiting api.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CompletedOperation {
    pub operation_id: OperationId,
    /// The fingerprint of the request. An api of version 0.3.0 needs it.
    pub fingerprint: Fingerprint,
    pub outcome: Outcome,
    /// The operation of the first request with the same idempotency key, if there was an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<OperationId>,
}
