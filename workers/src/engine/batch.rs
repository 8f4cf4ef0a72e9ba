//! The life of one batch: apply in one transaction, commit, invalidate, reply.
//! Whoever calls acknowledges afterwards.

use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    panic::AssertUnwindSafe,
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        command::{CompletedOperation, Envelope, Failure, Fingerprint, OperationId, Outcome},
    },
    platform::{backoff::Backoff, bus::Message, db},
};
use sqlx::{Acquire, Postgres, Transaction, types::Json};
use tokio::time::error::Elapsed;

use crate::{
    app::App,
    engine::{
        dead_letters, deferred,
        rule::{Applied, Context, Effects, Rules},
    },
};

/// When a command has failed so much for its own sake that it is put aside; see [`blame`].
const PATIENCE: u32 = 100;

/// A command as it came from the queue.
pub(crate) struct Accepted<D> {
    pub(crate) envelope: Envelope<D>,
    pub(crate) reply_to: Option<String>,
    /// As received, in case it has to be put aside.
    pub(crate) body: Vec<u8>,
}

/// What has become of a command, and what is to be done about it.
struct Record {
    settled: CompletedOperation,
    stale: Vec<CacheKey>,
}

/// Settles every command of the batch: when this returns, each has its outcome on
/// disk (or is put aside), no cached answer contradicts it, and replies are on
/// their way.
///
/// # Errors
/// Only when told to stop while the infrastructure is broken: then the commands
/// without an outcome must go back to the queue.
pub(crate) async fn settle<D: Rules>(site: &App, batch: &[Accepted<D>]) -> anyhow::Result<()> {
    match batch {
        [] => return Ok(()),
        [accepted] => return settle_alone(site, accepted).await,
        _ => (),
    }
    let error = match apply(site, batch).await {
        Ok(records) => return finish(site, batch, records).await,
        Err(error) => error,
    };
    tracing::warn!(error = format!("{error:#}"), batch = batch.len(), "batch failed");
    // One of them spoils it for all, or the database was away. Halves tell, and few commands wait for a commit of
    // their own.
    let (first, second) = batch.split_at(batch.len() / 2);
    Box::pin(settle(site, first)).await?;
    Box::pin(settle(site, second)).await
}

async fn settle_alone<D: Rules>(site: &App, accepted: &Accepted<D>) -> anyhow::Result<()> {
    let one = std::slice::from_ref(accepted);
    let mut blamed = 0;
    let mut pause = Backoff::default();
    loop {
        let error = match apply(site, one).await {
            Ok(records) => return finish(site, one, records).await,
            Err(error) => error,
        };
        let operation_id = accepted.envelope.operation_id;
        let command = accepted.envelope.command.name();
        blamed = match blame(&error) {
            0 => 0,
            more => blamed + more,
        };
        tracing::warn!(%operation_id, command, blamed, error = format!("{error:#}"), "command failed");
        if blamed >= PATIENCE {
            return dead_letters::bury::<D>(site, &accepted.body, &format!("{error:#}")).await;
        }
        site.stop.run_until_cancelled(pause.wait()).await.context("told to stop")?;
    }
}

/// Whether it is what was to be written that is wrong, and not the database.
pub(crate) fn is_its_own_fault(error: &anyhow::Error) -> bool {
    blame(error) > 1
}

/// How much an error counts against its command, out of [`PATIENCE`]. By SQLSTATE class:
/// <https://www.postgresql.org/docs/current/errcodes-appendix.html>
fn blame(error: &anyhow::Error) -> u32 {
    // Too slow. Mostly the database's fault, but not a hundred times in a row.
    const SLOW: u32 = 1;
    const HOPELESS: u32 = PATIENCE / 5;
    if error.is::<Panicked>() {
        return HOPELESS;
    }
    if error.is::<Elapsed>() {
        return SLOW;
    }
    match error.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(error)) => match error.code().as_deref() {
            // Bad data, a constraint or a trigger that no rule knows of, or too much of something: it will not get better.
            Some(code) if ["21", "22", "23", "54", "P0"].iter().any(|class| code.starts_with(class)) => {
                HOPELESS
            }
            Some("57014") => SLOW,
            _ => 0,
        },
        // `Protocol` is not among them: so sqlx calls it, too, when a proxy hangs up because the database is away.
        Some(
            sqlx::Error::InvalidArgument(_)
            | sqlx::Error::Encode(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::RowNotFound,
        ) => HOPELESS,
        _ => 0,
    }
}

async fn apply<D: Rules>(site: &App, batch: &[Accepted<D>]) -> anyhow::Result<Vec<Record>> {
    db::with_timeout(unless_it_panics(apply_in_transaction(site, batch))).await
}

/// A mistake in a rule that some command has hit upon.
#[derive(Debug, thiserror::Error)]
#[error("the rule panicked")]
struct Panicked;

/// It must not end the worker, which would meet it again as soon as it is back, and apply nothing else.
async fn unless_it_panics<T>(applied: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    AssertUnwindSafe(applied).catch_unwind().await.unwrap_or_else(|_| Err(Panicked.into()))
}

async fn apply_in_transaction<D: Rules>(site: &App, batch: &[Accepted<D>]) -> anyhow::Result<Vec<Record>> {
    let mut transaction = db::begin(&site.database).await?;
    // The database's clock, which the reads go by as well.
    let now =
        sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#).fetch_one(&mut *transaction).await?;
    let Known { settled: mut known, mut begun } = known(&mut transaction, batch).await?;
    let mut fresh = Vec::new();
    let mut scheduled = false;
    for accepted in batch {
        let envelope = &accepted.envelope;
        // Its key names another request, which is not settled yet. Whoever waits learns that from its outcome.
        if begun.get(&envelope.operation_id).is_some_and(|first| *first != envelope.fingerprint) {
            continue;
        }
        if let Entry::Vacant(unknown) = known.entry(envelope.operation_id) {
            let (outcome, effects) = apply_one(site, &mut transaction, envelope, now).await?;
            scheduled |= effects.scheduled;
            fresh.push((envelope, effects.events));
            let Some(outcome) = outcome else {
                deferred::keep(&mut transaction, accepted).await?;
                begun.insert(envelope.operation_id, envelope.fingerprint.clone());
                continue;
            };
            let (operation_id, fingerprint) = (envelope.operation_id, envelope.fingerprint.clone());
            let settled = CompletedOperation { operation_id, fingerprint, outcome };
            unknown.insert(Record { settled, stale: effects.stale });
        }
    }
    insert_operations(&mut transaction, &fresh, &known).await?;
    insert_events(&mut transaction, &fresh).await?;
    // An error here may come after the commit; the next attempt finds the rows then.
    transaction.commit().await?;
    if scheduled {
        site.due.notify_one();
    }
    Ok(known.into_values().collect())
}

/// Operations that are not new: a redelivery, or a repeated request.
#[derive(Default)]
struct Known {
    settled: HashMap<OperationId, Record>,
    /// By their fingerprints.
    begun: HashMap<OperationId, Fingerprint>,
}

async fn known<D>(transaction: &mut Transaction<'_, Postgres>, batch: &[Accepted<D>]) -> sqlx::Result<Known> {
    let ids: Vec<_> = batch.iter().map(|accepted| accepted.envelope.operation_id.0).collect();
    let rows = sqlx::query!(
        r#"select operation_id as "operation_id!", encode(fingerprint, 'hex') as "fingerprint!",
                  outcome as "outcome?: Json<Outcome>", stale_keys as "stale_keys!"
           from operations where operation_id = any($1)
           union all
           select operation_id, encode(fingerprint, 'hex'), null, '{}'
           from begun_operations where operation_id = any($1)"#,
        &ids,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let mut known = Known::default();
    for row in rows {
        let (operation_id, fingerprint) = (OperationId(row.operation_id), row.fingerprint);
        match row.outcome {
            Some(Json(outcome)) => {
                let settled = CompletedOperation { operation_id, fingerprint, outcome };
                let stale = row.stale_keys.into_iter().map(CacheKey::from_stored).collect();
                known.settled.insert(operation_id, Record { settled, stale });
            }
            None => drop(known.begun.insert(operation_id, fingerprint)),
        }
    }
    Ok(known)
}

/// Applies one command in a savepoint, so that a refusal leaves nothing behind. No outcome: it is only deferred.
async fn apply_one<D: Rules>(
    site: &App,
    transaction: &mut Transaction<'_, Postgres>,
    envelope: &Envelope<D>,
    now: DateTime<Utc>,
) -> sqlx::Result<(Option<Outcome>, Effects)> {
    let mut savepoint = transaction.begin().await?;
    let mut cx = Context {
        db: savepoint.acquire().await?,
        operation_id: envelope.operation_id,
        actor: envelope.actor,
        now,
        settings: &site.settings,
        providers: &site.providers,
        effects: Effects::default(),
    };
    match envelope.command.apply(&mut cx).await {
        Ok(applied) => {
            let effects = cx.effects;
            savepoint.commit().await?;
            let outcome = match applied {
                Applied::Settled(output) => Some(Outcome::Applied(output)),
                Applied::Begun => None,
            };
            Ok((outcome, effects))
        }
        Err(Failure::Refused(refused)) => {
            savepoint.rollback().await?;
            Ok((Some(Outcome::Refused(refused)), Effects::default()))
        }
        Err(Failure::Broken(error)) => Err(error),
    }
}

type Fresh<'a, D> = (&'a Envelope<D>, Vec<(&'static str, serde_json::Value)>);

/// A row that is there already, from another worker at the same moment, fails the whole
/// transaction: that worker's effects stand, and these are undone.
async fn insert_operations<D: Rules>(
    transaction: &mut Transaction<'_, Postgres>,
    fresh: &[Fresh<'_, D>],
    records: &HashMap<OperationId, Record>,
) -> anyhow::Result<()> {
    let mut rows = Vec::with_capacity(fresh.len());
    for (envelope, _) in fresh {
        let Some(record) = records.get(&envelope.operation_id) else { continue };
        rows.push(serde_json::json!({
            "operation_id": envelope.operation_id,
            "command": envelope.command.name(),
            "account_id": envelope.actor.account_id(),
            "fingerprint": envelope.fingerprint,
            "outcome": record.settled.outcome,
            "stale_keys": record.stale.iter().map(ToString::to_string).collect::<BTreeSet<_>>(),
            "accepted_at": envelope.accepted_at,
        }));
    }
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into operations (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at)
         select operation_id, command, account_id, decode(fingerprint, 'hex'), outcome, stale_keys, accepted_at
         from jsonb_to_recordset($1) as fresh (operation_id uuid, command text, account_id bigint,
              fingerprint text, outcome jsonb, stale_keys text[], accepted_at timestamptz)",
        serde_json::Value::Array(rows),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

async fn insert_events<D>(
    transaction: &mut Transaction<'_, Postgres>,
    fresh: &[Fresh<'_, D>],
) -> sqlx::Result<()> {
    let events: Vec<_> = fresh
        .iter()
        .flat_map(|(envelope, events)| {
            events.iter().map(|(topic, payload)| (envelope.operation_id.0, topic, payload))
        })
        .collect();
    if events.is_empty() {
        return Ok(());
    }
    let operations: Vec<_> = events.iter().map(|(operation, _, _)| *operation).collect();
    let topics: Vec<_> = events.iter().map(|(_, topic, _)| (*topic).to_string()).collect();
    let payloads: Vec<_> = events.iter().map(|(_, _, payload)| (*payload).clone()).collect();
    sqlx::query!(
        "insert into outbox (operation_id, topic, payload)
         select * from unnest($1::uuid[], $2::text[], $3::jsonb[])",
        &operations,
        &topics,
        &payloads,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// After the commit: no cached answer may contradict it before anybody hears of it.
async fn finish<D>(site: &App, batch: &[Accepted<D>], records: Vec<Record>) -> anyhow::Result<()> {
    let stale: Vec<CacheKey> = records
        .iter()
        .flat_map(|record| record.stale.iter().cloned())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut pause = Backoff::default();
    while let Err(error) = db::with_timeout(site.cache.invalidate_or_suspend(&site.database, &stale)).await {
        tracing::warn!(error = format!("{error:#}"), "neither Redis nor Postgres takes the invalidation");
        site.stop.run_until_cancelled(pause.wait()).await.context("told to stop")?;
    }
    reply(site, batch, &records);
    Ok(())
}

/// One message for each process that waits. A hint: nobody waits for its confirm.
fn reply<D>(site: &App, batch: &[Accepted<D>], records: &[Record]) {
    let settled: HashMap<_, _> =
        records.iter().map(|record| (record.settled.operation_id, &record.settled)).collect();
    let mut replies: HashMap<&str, Vec<&CompletedOperation>> = HashMap::new();
    for Accepted { envelope, reply_to, .. } in batch {
        if let (Some(queue), Some(settled)) = (reply_to, settled.get(&envelope.operation_id)) {
            replies.entry(queue).or_default().push(settled);
        }
    }
    for (queue, settled) in replies {
        send_reply(site, queue, &settled);
    }
}

/// Tells a process that waits. A hint, as any reply.
pub(crate) fn send_reply(site: &App, queue: &str, settled: &[&CompletedOperation]) {
    let Ok(body) = serde_json::to_vec(settled) else { return };
    let message = Message {
        exchange: String::new(),
        routing_key: queue.to_owned(),
        mandatory: false,
        message_id: String::new(),
        reply_to: None,
        body,
    };
    let publisher = site.publisher.clone();
    tokio::spawn(async move {
        if let Err(error) = publisher.publish(message).await {
            tracing::debug!(%error, "a reply was lost");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_rule_that_panics_is_to_blame_and_takes_nobody_with_it() {
        let error = unless_it_panics::<()>(async { panic!("on purpose") }).await.unwrap_err();
        assert!(is_its_own_fault(&error));
        let error =
            unless_it_panics::<()>(async { Err(sqlx::Error::PoolTimedOut.into()) }).await.unwrap_err();
        assert!(!is_its_own_fault(&error));
    }
}
