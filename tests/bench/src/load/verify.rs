//! The check of a load against the database: each accepted command has an outcome.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use super::journal::{self, JournalEntry, Outcomes};
use crate::site::BenchSite;

/// The check waits this long for the next outcome. Then all commands without one count as lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest wait for the outcomes of one load.
const TIME_LIMIT: Duration = Duration::from_secs(600);

const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The number of operations that one query reads.
const CHUNK: usize = 5000;

/// Waits until all accepted commands have an outcome, writes the journal, and compares both.
///
/// # Errors
/// When commands were lost, refused or applied twice, or the database does not respond.
pub(crate) async fn verify(site: &BenchSite, case: &str, entries: &[JournalEntry]) -> anyhow::Result<()> {
    journal::append(&site.folder.join("journal.jsonl"), case, entries)?;
    let outcomes = wait_for_outcomes(&site.database, entries).await?;
    let violations = journal::check(entries, &outcomes);
    anyhow::ensure!(violations.is_empty(), "{case}: {}", violations.join("; "));
    Ok(())
}

async fn wait_for_outcomes(database: &PgPool, entries: &[JournalEntry]) -> sqlx::Result<Outcomes> {
    let accepted = entries.iter().filter(|entry| entry.is_success());
    let mut missing: HashSet<Uuid> = accepted.filter_map(|entry| entry.operation_id).collect();
    let mut outcomes = Outcomes::new();
    let (started, mut last_found) = (Instant::now(), Instant::now());
    loop {
        let found = read_outcomes(database, &missing).await?;
        if !found.is_empty() {
            last_found = Instant::now();
        }
        missing.retain(|id| !found.contains_key(id));
        outcomes.extend(found);
        if missing.is_empty() || last_found.elapsed() > PATIENCE || started.elapsed() > TIME_LIMIT {
            return Ok(outcomes);
        }
        sleep(POLL_INTERVAL).await;
    }
}

async fn read_outcomes(database: &PgPool, ids: &HashSet<Uuid>) -> sqlx::Result<Outcomes> {
    let ids: Vec<Uuid> = ids.iter().copied().collect();
    let mut outcomes = Outcomes::new();
    for chunk in ids.chunks(CHUNK) {
        let rows: Vec<(Uuid, bool)> = sqlx::query_as(
            "select operation_id, outcome ? 'applied' from operations where operation_id = any($1)",
        )
        .bind(chunk)
        .fetch_all(database)
        .await?;
        outcomes.extend(rows);
    }
    Ok(outcomes)
}
