//! Idempotency keys. The first request with a key claims it, in the transaction of its command.

use std::collections::{BTreeMap, HashMap};

use guildhall_common::contract::{
    command::{Envelope, OperationId},
    idempotency_key::{Fingerprint, KeyClaim, KeyUse},
};
use serde::Deserialize;
use uuid::Uuid;

/// What a request is to the idempotency key that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// The first request with its key, or a request without a key.
    First,
    /// It repeats the request of this operation.
    Repeated(OperationId),
    /// It differs from the first request with its key.
    Reused,
}

/// The claim of a key: the operation and the fingerprint of its first request.
#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    key: Uuid,
    operation_id: OperationId,
    fingerprint: Fingerprint,
}

/// The claims of the keys that a batch uses.
#[derive(Default)]
pub(crate) struct KeyClaims(HashMap<Uuid, Claim>);

impl KeyClaims {
    pub(crate) fn new(claims: Vec<Claim>) -> Self {
        Self(claims.into_iter().map(|claim| (claim.key, claim)).collect())
    }

    /// What the request of this envelope is to its key.
    pub(crate) fn kind<D>(&self, envelope: &Envelope<D>) -> RequestKind {
        let of_another = envelope.key_uses.iter().find_map(|key_use| {
            let claim =
                self.0.get(&key_use.key).filter(|claim| claim.operation_id != envelope.operation_id)?;
            Some(match key_use.compare(&claim.fingerprint)? {
                KeyClaim::Repeated => RequestKind::Repeated(claim.operation_id),
                KeyClaim::Reused => RequestKind::Reused,
            })
        });
        of_another.unwrap_or(RequestKind::First)
    }
}

/// The first use of each key in a batch, in the order of the keys.
pub(crate) fn first_uses<'a, D: 'a>(
    envelopes: impl Iterator<Item = &'a Envelope<D>>,
) -> BTreeMap<Uuid, (OperationId, &'a str)> {
    let mut first = BTreeMap::new();
    for envelope in envelopes {
        for KeyUse { key, fingerprint, .. } in &envelope.key_uses {
            first.entry(*key).or_insert((envelope.operation_id, fingerprint.as_str()));
        }
    }
    first
}
