//! The rows of operations. A row is written in the transaction of its command, so a redelivered command changes nothing.

use std::collections::{BTreeSet, HashMap};

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{CompletedOperation, Domain, Envelope, OperationId, Outcome},
    idempotency_key::Fingerprint,
};
use sqlx::{PgConnection, types::Json};

/// A completed command, and the cached responses that it makes stale.
pub(crate) struct Completed {
    pub(crate) operation: CompletedOperation,
    /// The operation that it repeats.
    pub(crate) repeats: Option<OperationId>,
    pub(crate) stale_keys: Vec<CacheKey>,
}

/// The operations of a batch that are not new: redelivered messages and repeated requests.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) completed: HashMap<OperationId, Completed>,
    /// The fingerprints of deferred operations.
    pub(crate) deferred: HashMap<OperationId, Fingerprint>,
}

impl Known {
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
    let mut known = Known::default();
    for row in rows {
        let (operation_id, fingerprint) = (OperationId::from(row.operation_id), row.fingerprint);
        let Some(Json(outcome)) = row.outcome else {
            known.deferred.insert(operation_id, fingerprint);
            continue;
        };
        let operation = CompletedOperation { operation_id, fingerprint, outcome };
        let stale_keys = row.stale_keys.into_iter().map(CacheKey::from_stored).collect();
        known.completed.insert(operation_id, Completed { operation, repeats: row.repeats, stale_keys });
    }
    Ok(known)
}

/// Inserts the rows of new operations.
///
/// If another worker has inserted one of them meanwhile, the transaction fails. The other worker's effects stay, and the effects of
/// this transaction are rolled back.
pub(crate) async fn insert<'a, D: Domain>(
    database: &mut PgConnection,
    operations: impl Iterator<Item = (&'a Envelope<D>, &'a Completed)>,
) -> sqlx::Result<()> {
    let rows: Vec<_> = operations.map(|(envelope, completed)| row(envelope, completed)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into operations
             (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at, repeats)
         select operation_id, command, account_id, decode(fingerprint, 'hex'), outcome, stale_keys, accepted_at, repeats
         from jsonb_to_recordset($1) as fresh (operation_id uuid, command text, account_id bigint,
              fingerprint text, outcome jsonb, stale_keys text[], accepted_at timestamptz, repeats uuid)",
        serde_json::Value::Array(rows),
    )
    .execute(database)
    .await?;
    Ok(())
}

fn row<D: Domain>(envelope: &Envelope<D>, completed: &Completed) -> serde_json::Value {
    serde_json::json!({
        "operation_id": envelope.operation_id,
        "command": envelope.command.name(),
        "account_id": envelope.actor.account_id(),
        "fingerprint": envelope.fingerprint,
        "outcome": completed.operation.outcome,
        "stale_keys": completed.stale_keys.iter().map(ToString::to_string).collect::<BTreeSet<_>>(),
        "accepted_at": envelope.accepted_at,
        "repeats": completed.repeats,
    })
}
