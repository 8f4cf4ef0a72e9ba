//! The checks after a rollout.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use anyhow::ensure;
use guildhall_testkit::money::check_money;
use tokio::time::sleep;
use uuid::Uuid;

use super::{load::CellLoad, promise::Promise, site::RolloutSite};
use crate::{consistency, stack::Stack};

/// The time limit for unfinished work after the load has stopped.
const UNFINISHED_WORK_LIMIT: Duration = Duration::from_secs(120);

/// What each rollout must do under load. Otherwise it has tested nothing.
const REQUIRED: [&str; 4] =
    ["keys repeated", "requests repeated while pending", "operations polled", "renewals"];

/// Stops the load, and compares what the clients received with the database.
///
/// # Errors
/// When the rollout failed, or a check finds a violation.
pub(super) async fn finish(
    site: &RolloutSite,
    stack: &Stack,
    load: CellLoad,
    rolled_out: anyhow::Result<()>,
    promise: &Promise,
) -> anyhow::Result<()> {
    let stopped = load.stop().await;
    // A violation that a cell has printed explains more than the checks below.
    rolled_out?;
    let cells = stopped?;
    wait_until_work_is_finished(site, stack).await?;
    for mut cell in cells {
        cell.check_balance(promise).await?;
    }
    let outcomes = site.record.outcomes();
    let mut violations = consistency::check_operations(&site.database, &outcomes).await?;
    violations.extend(check_keys(site).await?);
    violations.extend(check_money(&site.database).await?);
    let dead_letters: Vec<String> =
        sqlx::query_scalar("select left(dead_letters::text, 300) from dead_letters")
            .fetch_all(&site.database)
            .await?;
    violations.extend(dead_letters.iter().map(|row| format!("lost: a dead letter: {row}")));
    let counts = site.record.counts();
    let missing = REQUIRED.iter().filter(|what| !counts.contains_key(**what));
    violations.extend(missing.map(|what| format!("wrong: no {what}")));
    let by_command = consistency::count_by_command(&site.database).await?;
    println!("{by_command:#}");
    println!("{} operations; {counts:?}", outcomes.len());
    violations.iter().for_each(|violation| println!("\n{violation}"));
    ensure!(violations.is_empty(), "{} violations", violations.len());
    println!("nothing was lost or applied twice, and each repeated key got its first outcome");
    Ok(())
}

/// A violation for each idempotency key with two operations of their own.
async fn check_keys(site: &RolloutSite) -> anyhow::Result<Vec<String>> {
    let rows: Vec<(Uuid, Uuid)> =
        sqlx::query_as("select operation_id, coalesce(repeats, operation_id) from operations")
            .fetch_all(&site.database)
            .await?;
    let first: HashMap<Uuid, Uuid> = rows.into_iter().collect();
    let mut operations: HashMap<Uuid, Uuid> = HashMap::new();
    let mut violations = Vec::new();
    for (operation_id, reported) in site.record.outcomes() {
        let Some(operation_id) = first.get(&operation_id).copied() else { continue };
        let known = *operations.entry(reported.key).or_insert(operation_id);
        if known != operation_id {
            violations
                .push(format!("duplicated: {} is two operations: {known} and {operation_id}", reported.key));
        }
    }
    Ok(violations)
}

/// Waits until no command, event or invalidation is unfinished. The bought items stay: there is no game server.
async fn wait_until_work_is_finished(site: &RolloutSite, stack: &Stack) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let unfinished: i64 = sqlx::query_scalar(
            "select (select count(*) from begun_operations) + (select count(*) from outbox)
                  + (select count(*) from pending_invalidations)",
        )
        .fetch_one(&site.database)
        .await?;
        if unfinished == 0 && stack.non_empty_queues().await?.is_empty() {
            return Ok(());
        }
        ensure!(
            started.elapsed() < UNFINISHED_WORK_LIMIT,
            "lost: work is unfinished after {UNFINISHED_WORK_LIMIT:?} ({unfinished} rows)"
        );
        sleep(Duration::from_millis(500)).await;
    }
}
