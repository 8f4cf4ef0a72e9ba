//! The rows of operations. A row is written in the transaction of its command, so a redelivered command changes nothing.

use std::collections::{BTreeSet, HashMap};

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{CompletedOperation, Domain, Envelope, OperationId, Outcome},
    idempotency_key::Fingerprint,
};
use serde::Deserialize;
use sqlx::{PgConnection, types::Json};

/// A completed command, and the cached responses that it makes stale.
pub(crate) struct Completed {
    pub(crate) operation: CompletedOperation,
    pub(crate) stale_keys: Vec<CacheKey>,
}

/// The operations of a batch that are not new: redelivered messages and repeated requests.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) completed: HashMap<OperationId, Completed>,
    pub(crate) deferred: HashMap<OperationId, Deferred>,
}

/// An operation that has no outcome yet.
pub(crate) struct Deferred {
    pub(crate) fingerprint: Fingerprint,
    /// The operation that it repeats.
    pub(crate) repeats: Option<OperationId>,
}

/// The row of an operation. It has no outcome if it is deferred.
#[derive(Debug, Deserialize)]
pub(crate) struct KnownOperation {
    operation_id: OperationId,
    fingerprint: Fingerprint,
    outcome: Option<Outcome>,
    stale_keys: Vec<String>,
    repeats: Option<OperationId>,
}

impl Known {
    pub(crate) fn new(rows: impl IntoIterator<Item = KnownOperation>) -> Self {
        let mut known = Self::default();
        for KnownOperation { operation_id, fingerprint, outcome, stale_keys, repeats } in rows {
            let Some(outcome) = outcome else {
                known.deferred.insert(operation_id, Deferred { fingerprint, repeats });
                continue;
            };
            let operation = CompletedOperation { operation_id, fingerprint, outcome, repeats };
            let stale_keys = stale_keys.into_iter().map(CacheKey::from_stored).collect();
            known.completed.insert(operation_id, Completed { operation, stale_keys });
        }
        known
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.completed.extend(other.completed);
        self.deferred.extend(other.deferred);
    }
}

/// Finds the operations that are not new.
pub(crate) async fn find(database: &mut PgConnection, ids: &[OperationId]) -> sqlx::Result<Known> {
    let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
    let rows = sqlx::query!(
        r#"select operation_id as "operation_id!", encode(fingerprint, 'hex') as "fingerprint!",
                  outcome as "outcome?: Json<Outcome>", stale_keys as "stale_keys!",
                  repeats as "repeats: OperationId"
           from operations where operation_id = any($1)
           union all
           select operation_id, encode(fingerprint, 'hex'), null, '{}', repeats
           from begun_operations where operation_id = any($1)"#,
        &ids,
    )
    .fetch_all(database)
    .await?;
    let rows = rows.into_iter().map(|row| KnownOperation {
        operation_id: row.operation_id.into(),
        fingerprint: row.fingerprint,
        outcome: row.outcome.map(|Json(outcome)| outcome),
        stale_keys: row.stale_keys,
        repeats: row.repeats,
    });
    Ok(Known::new(rows))
}

/// The row of a new operation.
///
/// If another worker has inserted it meanwhile, the transaction fails. The other worker's effects stay, and the effects of this
/// transaction are rolled back.
pub(crate) fn row<D: Domain>(envelope: &Envelope<D>, completed: &Completed) -> serde_json::Value {
    serde_json::json!({
        "operation_id": envelope.operation_id,
        "command": envelope.command.name(),
        "account_id": envelope.actor.account_id(),
        "fingerprint": envelope.fingerprint,
        "outcome": completed.operation.outcome,
        "stale_keys": completed.stale_keys.iter().map(ToString::to_string).collect::<BTreeSet<_>>(),
        "accepted_at": envelope.accepted_at,
        "repeats": completed.operation.repeats,
    })
}
