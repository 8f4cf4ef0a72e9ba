//! The first and the last statement in the transaction of a batch. Each is a function in the migrations, and is sent together with
//! `begin` or `commit`, so that a transaction has two round trips to the database besides those of its rules.

use chrono::{DateTime, Utc};
use guildhall_common::contract::command::Envelope;
use serde::Deserialize;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor, PgConnection, Row, types::Json};

use crate::engine::{
    idempotency::{self, Claim, Claims},
    lease::{Lease, LeaseLost},
    locks::Locks,
    operations::{self, Completed, Known, KnownOperation},
    outbox::OutboxEvent,
    rules::Rules,
};

/// The SQLSTATE with which `end_batch` reports that a lease is lost.
const LEASE_LOST: &str = "GH001";

/// What a batch knows before it applies its commands.
pub(crate) struct BatchStart {
    pub(crate) now: DateTime<Utc>,
    pub(crate) known: Known,
    pub(crate) claims: Claims,
}

/// The result of `begin_batch`.
#[derive(Deserialize)]
struct Begun {
    started_at: DateTime<Utc>,
    known: Vec<KnownOperation>,
    claims: Vec<Claim>,
}

/// Begins the transaction, finds the known operations, claims idempotency keys, and locks the rows that the commands change.
///
/// Another transaction that claims one of these keys waits until this one ends.
pub(crate) async fn begin<D: Rules>(
    database: &mut PgConnection,
    envelopes: &[&Envelope<D>],
) -> sqlx::Result<BatchStart> {
    let ids: Vec<_> = envelopes.iter().map(|envelope| envelope.operation_id).collect();
    let (mut keys, mut key_operations, mut fingerprints) = (vec![], vec![], vec![]);
    for (key, (operation_id, fingerprint)) in idempotency::first_uses(envelopes.iter().copied()) {
        keys.push(key);
        key_operations.push(operation_id);
        fingerprints.push(fingerprint);
    }
    let Locks { guilds, deleted_guilds, characters, character_names, payments, accounts, offers } =
        locks(envelopes);
    let batch = literal(&json!({
        "operation_ids": ids,
        "used_keys": keys,
        "key_operation_ids": key_operations,
        "key_fingerprints": fingerprints,
        "guild_ids": guilds,
        "deleted_guild_ids": deleted_guilds,
        "character_ids": characters,
        "character_names": character_names,
        "payment_ids": payments,
        "account_ids": accounts,
        "offer_ids": offers,
    }));
    let statements = sqlx::raw_sql(AssertSqlSafe(format!("begin; select begin_batch({batch})")));
    let rows = statements.fetch_all(database).await?;
    let Json(Begun { started_at, known, claims }) =
        rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
    Ok(BatchStart { now: started_at, known: Known::new(known), claims: Claims::new(claims) })
}

/// The locks of all commands, so that batches of several partitions do not wait for each other in a circle.
fn locks<D: Rules>(envelopes: &[&Envelope<D>]) -> Locks {
    let mut locks = Locks::default();
    for envelope in envelopes {
        envelope.command.locks(envelope.actor, &mut locks);
    }
    locks
}

/// Stores the outcomes and the events, and commits.
///
/// # Errors
/// [`LeaseLost`]: nothing is committed. Those of the database.
pub(crate) async fn commit<'a, D: Rules>(
    database: &mut PgConnection,
    leases: &[Lease],
    completed: impl Iterator<Item = (&'a Envelope<D>, &'a Completed)>,
    events: &[OutboxEvent],
) -> anyhow::Result<()> {
    let completed: Vec<_> =
        completed.map(|(envelope, completed)| operations::row(envelope, completed)).collect();
    let (mut domains, mut numbers, mut epochs) = (vec![], vec![], vec![]);
    for Lease { partition, epoch } in leases {
        domains.push(&partition.domain);
        numbers.push(partition.number);
        epochs.push(*epoch);
    }
    let batch = literal(&json!({
        "domains": domains,
        "numbers": numbers,
        "epochs": epochs,
        "completed": completed,
        "events": events,
    }));
    // After an error of the first statement, Postgres does not execute the second one.
    let statements = sqlx::raw_sql(AssertSqlSafe(format!("call end_batch({batch}); commit")));
    match database.execute(statements).await {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LEASE_LOST) => {
            Err(LeaseLost.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The SQL literal of a JSON value. An apostrophe would end it, and can only be in a string of the JSON, which may have it as an escape.
fn literal(value: &serde_json::Value) -> String {
    format!("'{}'", value.to_string().replace('\'', r"\u0027"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_has_no_apostrophe_inside() {
        let value = json!({ "it's": ["'; drop table guilds; --", r"\'", "\u{1f409}"] });
        let literal = literal(&value);
        let inside = literal.strip_prefix('\'').unwrap().strip_suffix('\'').unwrap();
        assert!(!inside.contains('\''), "{literal}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(inside).unwrap(), value);
    }
}
