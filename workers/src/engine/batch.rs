//! The processing of one batch: apply in one transaction, commit, invalidate, reply. The consumer acknowledges afterwards.

use std::{
    collections::{BTreeSet, HashMap},
    slice::from_ref,
};

use anyhow::Context as _;
use guildhall_common::{
    contract::cache_key::CacheKey,
    platform::{backoff::Backoff, db},
};

use crate::{
    app::App,
    engine::{
        dead_letters,
        failure::{self, WEIGHT_LIMIT, catch_panic},
        lease::{Lease, LeaseLost},
        operations::Completed,
        redaction::{self, redact},
        reply,
        rule::Rules,
        throughput::{TransactionLimit, TransactionPermit},
        trail::Trail,
        transaction::{Accepted, apply_batch},
    },
};

/// Processes every command of the batch.
///
/// When it returns, each command has its outcome on disk or is a dead letter, no cached response contradicts an outcome, and the
/// replies are on their way. A reply may be lost: then the api reads the outcome.
///
/// # Errors
/// Only if the worker stops while the infrastructure is unavailable, and [`LeaseLost`]. Then the commands without an outcome must return to the queue.
pub(crate) async fn process_batch<D: Rules>(
    app: &App,
    transactions: &TransactionLimit,
    lease: &Lease,
    batch: &[Accepted<D>],
) -> anyhow::Result<()> {
    match batch {
        [] => return Ok(()),
        [accepted] => return process_alone(app, transactions, lease, accepted).await,
        _ => (),
    }
    let error = match apply(app, transactions, lease, batch).await {
        Ok(completed) => return complete(app, batch, &completed).await,
        Err(error) if error.is::<LeaseLost>() => return Err(error),
        Err(error) => error,
    };
    let error = redaction::without_quotes(&format!("{error:#}"));
    tracing::warn!(error, batch = batch.len(), "batch failed");
    // Either one command fails the others, or the database was unavailable. Halving finds the command with few extra commits.
    let (first, second) = batch.split_at(batch.len() / 2);
    Box::pin(process_batch(app, transactions, lease, first)).await?;
    Box::pin(process_batch(app, transactions, lease, second)).await
}

/// Tries to process batches of one or several partitions in one transaction. False: each batch has to be processed alone, because a
/// lease is lost or a command fails.
pub(crate) async fn process_together<D: Rules>(
    app: &App,
    permit: TransactionPermit,
    leases: &[Lease],
    commands: &[Accepted<D>],
) -> bool {
    let applied = apply_once(app, &permit, leases, commands).await;
    // Without Redis, the invalidation waits. Other commands must not wait with it.
    drop(permit);
    let result = match applied {
        Ok(completed) => complete(app, commands, &completed).await,
        Err(error) => Err(error),
    };
    if let Err(error) = &result {
        let error = redaction::without_quotes(&format!("{error:#}"));
        tracing::warn!(error, commands = commands.len(), "group of batches failed");
    }
    result.is_ok()
}

/// Retries one command until it is completed, or dead-letters it.
async fn process_alone<D: Rules>(
    app: &App,
    transactions: &TransactionLimit,
    lease: &Lease,
    accepted: &Accepted<D>,
) -> anyhow::Result<()> {
    let batch = from_ref(accepted);
    let trail = Trail::of(&accepted.envelope);
    let mut total_weight = 0;
    let mut backoff = Backoff::default();
    loop {
        let error = match apply(app, transactions, lease, batch).await {
            Ok(completed) => return complete(app, batch, &completed).await,
            Err(error) if error.is::<LeaseLost>() => return Err(error),
            Err(error) => error,
        };
        total_weight = match failure::weight(&error) {
            0 => 0,
            weight => total_weight + weight,
        };
        let reason = format!("{error:#}");
        let error = redact(&accepted.body, &reason).reason;
        trail.span().in_scope(|| tracing::warn!(failure.weight = total_weight, error, "command failed"));
        if total_weight >= WEIGHT_LIMIT {
            return trail.follow(dead_letters::store_command::<D>(app, &accepted.body, &reason)).await;
        }
        app.stop.run_until_cancelled(backoff.wait()).await.context("the worker is stopping")?;
    }
}

async fn apply<D: Rules>(
    app: &App,
    transactions: &TransactionLimit,
    lease: &Lease,
    batch: &[Accepted<D>],
) -> anyhow::Result<Vec<Completed>> {
    let permit = transactions.acquire().await?;
    apply_once(app, &permit, from_ref(lease), batch).await
}

async fn apply_once<D: Rules>(
    app: &App,
    permit: &TransactionPermit,
    leases: &[Lease],
    batch: &[Accepted<D>],
) -> anyhow::Result<Vec<Completed>> {
    db::with_timeout(catch_panic(apply_batch(app, permit, leases, batch))).await
}

/// Invalidates the stale cache keys after the commit, and replies.
async fn complete<D>(app: &App, batch: &[Accepted<D>], completed: &[Completed]) -> anyhow::Result<()> {
    let stale_keys: BTreeSet<&CacheKey> =
        completed.iter().flat_map(|completed| &completed.stale_keys).collect();
    let stale_keys: Vec<CacheKey> = stale_keys.into_iter().cloned().collect();
    let mut backoff = Backoff::default();
    while let Err(error) = db::with_timeout(app.cache.invalidate_or_suspend(&app.database, &stale_keys)).await
    {
        tracing::warn!(error = format!("{error:#}"), "invalidation failed in Redis and in Postgres");
        app.stop.run_until_cancelled(backoff.wait()).await.context("the worker is stopping")?;
    }
    let operations: HashMap<_, _> =
        completed.iter().map(|completed| (completed.operation.operation_id, &completed.operation)).collect();
    let replies = batch.iter().filter_map(|accepted| {
        let operation = operations.get(&accepted.envelope.operation_id)?;
        Some((accepted.reply_to.as_deref()?, *operation))
    });
    reply::send_all(&app.publisher, replies);
    Ok(())
}
