//! The first and the last statement in the transaction of a batch. Each is a function in the migrations, so that it takes one
//! round trip to the database.

use chrono::{DateTime, Utc};
use guildhall_common::contract::command::Envelope;
use sqlx::{PgConnection, types::Json};

use crate::engine::{
    idempotency::{self, Claim, Claims},
    lease::{Lease, LeaseLost},
    locks::Locks,
    operations::{self, Completed, Known, KnownOperation},
    outbox::OutboxEvent,
    rules::Rules,
};

/// What a batch knows before it applies its commands.
pub(crate) struct BatchStart {
    pub(crate) now: DateTime<Utc>,
    pub(crate) known: Known,
    pub(crate) claims: Claims,
}

/// Finds the known operations, claims idempotency keys, and locks the rows that the commands change.
///
/// Another transaction that claims one of these keys waits until this one ends.
pub(crate) async fn begin<D: Rules>(
    database: &mut PgConnection,
    envelopes: &[&Envelope<D>],
) -> sqlx::Result<BatchStart> {
    let ids: Vec<_> = envelopes.iter().map(|envelope| envelope.operation_id.get()).collect();
    let (mut keys, mut key_operations, mut fingerprints) = (vec![], vec![], vec![]);
    for (key, (operation_id, fingerprint)) in idempotency::first_uses(envelopes.iter().copied()) {
        keys.push(key);
        key_operations.push(operation_id.get());
        fingerprints.push(fingerprint.to_owned());
    }
    let Locks { guilds, deleted_guilds, characters, character_names, payments, accounts, offers } =
        locks(envelopes);
    let start = sqlx::query!(
        r#"select started_at as "started_at!", known as "known!: Json<Vec<KnownOperation>>",
                  claims as "claims!: Json<Vec<Claim>>"
           from begin_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"#,
        &ids,
        &keys,
        &key_operations,
        &fingerprints,
        &guilds,
        &deleted_guilds,
        &characters,
        &character_names,
        &payments,
        &accounts,
        &offers,
    )
    .fetch_one(database)
    .await?;
    Ok(BatchStart {
        now: start.started_at,
        known: Known::new(start.known.0),
        claims: Claims::new(start.claims.0),
    })
}

/// The locks of all commands, so that batches of several partitions do not wait for each other in a circle.
fn locks<D: Rules>(envelopes: &[&Envelope<D>]) -> Locks {
    let mut locks = Locks::default();
    for envelope in envelopes {
        envelope.command.locks(envelope.actor, &mut locks);
    }
    locks
}

/// Stores the outcomes and the events.
///
/// # Errors
/// [`LeaseLost`]: then the transaction must not be committed. Those of the database.
pub(crate) async fn end<'a, D: Rules>(
    database: &mut PgConnection,
    leases: &[Lease],
    completed: impl Iterator<Item = (&'a Envelope<D>, &'a Completed)>,
    events: &[OutboxEvent],
) -> anyhow::Result<()> {
    let completed = completed.map(|(envelope, completed)| operations::row(envelope, completed)).collect();
    let (mut domains, mut numbers, mut epochs) = (vec![], vec![], vec![]);
    for Lease { partition, epoch } in leases {
        domains.push(partition.domain.clone());
        numbers.push(i32::from(partition.number));
        epochs.push(*epoch);
    }
    let are_held = sqlx::query_scalar!(
        r#"select end_batch($1, $2, $3, $4, $5) as "are_held!""#,
        &domains,
        &numbers,
        &epochs,
        serde_json::Value::Array(completed),
        Json(events) as _,
    )
    .fetch_one(database)
    .await?;
    if are_held { Ok(()) } else { Err(LeaseLost.into()) }
}
