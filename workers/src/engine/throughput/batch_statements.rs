//! The first and the last statement in the transaction of a batch. Each calls a function in the migrations, and is sent together with
//! `begin` or `commit`. So a transaction has only two round trips to the database besides those of its rules.

use chrono::{DateTime, Utc};
use guildhall_common::contract::command::{Envelope, Locks};
use sqlx::{AssertSqlSafe, Executor, PgConnection, Row, types::Json};

use crate::engine::{
    idempotency::{self, Claim, KeyClaims},
    lease::{Lease, LeaseLost},
    operations::{self, Completed, Known, KnownOperation},
    outbox::OutboxEvent,
    rule::Rules,
    throughput::literal,
};

/// The SQLSTATE with which `end_batch_or_fail` reports that a lease is lost.
const LEASE_LOST: &str = "GH001";

/// What a batch knows before it applies its commands.
pub(crate) struct BatchStart {
    pub(crate) now: DateTime<Utc>,
    pub(crate) known: Known,
    pub(crate) claims: KeyClaims,
}

/// Begins the transaction, finds the known operations, claims idempotency keys, and locks the rows that the commands change.
///
/// Another transaction that claims one of these keys waits until this one ends.
pub(crate) async fn begin<D: Rules>(
    database: &mut PgConnection,
    envelopes: &[&Envelope<D>],
) -> sqlx::Result<BatchStart> {
    let ids = envelopes.iter().map(|envelope| envelope.operation_id);
    let first_uses = idempotency::first_uses(envelopes.iter().copied());
    let Locks { guilds, deleted_guilds, characters, character_names, payments, accounts, offers } =
        locks(envelopes);
    let arguments = [
        literal::array(ids),
        literal::array(first_uses.keys()),
        literal::array(first_uses.values().map(|(operation_id, _)| operation_id)),
        literal::array(first_uses.values().map(|(_, fingerprint)| fingerprint)),
        literal::array(guilds),
        literal::array(deleted_guilds),
        literal::array(characters),
        literal::array(character_names),
        literal::array(payments),
        literal::array(accounts),
        literal::array(offers),
    ];
    let begin_batch = format!("select started_at, known, claims from begin_batch({})", arguments.join(", "));
    let rows = sqlx::raw_sql(AssertSqlSafe(format!("begin; {begin_batch}"))).fetch_all(database).await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    let Json(known) = row.try_get::<Json<Vec<KnownOperation>>, _>("known")?;
    let Json(claims) = row.try_get::<Json<Vec<Claim>>, _>("claims")?;
    let now = row.try_get("started_at")?;
    Ok(BatchStart { now, known: Known::new(known), claims: KeyClaims::new(claims) })
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
    let arguments = [
        literal::array(leases.iter().map(|lease| &lease.partition.domain)),
        literal::array(leases.iter().map(|lease| lease.partition.number)),
        literal::array(leases.iter().map(|lease| lease.epoch)),
        literal::json(&completed)?,
        literal::json(&events)?,
    ];
    let end_batch = format!("call end_batch_or_fail({})", arguments.join(", "));
    // After an error of the first statement, Postgres does not execute the second one.
    let statements = sqlx::raw_sql(AssertSqlSafe(format!("{end_batch}; commit")));
    match database.execute(statements).await {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LEASE_LOST) => {
            Err(LeaseLost.into())
        }
        Err(error) => Err(error.into()),
    }
}
