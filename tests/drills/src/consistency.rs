//! Consistency checks of the database. Each returns a line for each violation.

use std::collections::HashMap;

use guildhall_testkit::money::{check_money, run_queries};
use serde_json::{Value, json};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::journal::ReportedOutcome;

/// Commands whose responses do not name the operation. Other checks cover their effects.
const UNREPORTED: [&str; 7] = [
    "account.open_export",
    "account.start_session",
    "account.rotate_session",
    "game.lease_deliveries",
    "game.follow_changes",
    "game.renew_presence",
    "payment.notify",
];

/// An operation as it is stored.
#[derive(sqlx::FromRow)]
struct OperationRow {
    operation_id: Uuid,
    /// The operation of the first request with the same idempotency key.
    repeats: Option<Uuid>,
    command: String,
    outcome: Json<Value>,
}

impl OperationRow {
    fn first(&self) -> Uuid {
        self.repeats.unwrap_or(self.operation_id)
    }

    /// The result, or the code of the refusal.
    fn outcome(&self) -> Result<Value, String> {
        match self.outcome.get("applied") {
            Some(result) => Ok(result.clone()),
            None => Err(self.outcome["refused"]["code"].as_str().unwrap_or_default().to_owned()),
        }
    }
}

/// Compares the outcomes that clients received with the table `operations`: each outcome has one row with the same
/// outcome, each row belongs to a request, and rows that repeat another one have its outcome.
///
/// # Errors
/// When the database does not respond.
pub async fn check_operations(
    database: &PgPool,
    reported: &HashMap<Uuid, ReportedOutcome>,
) -> anyhow::Result<Vec<String>> {
    let rows: Vec<OperationRow> =
        // The outcomes of deleted accounts are erased.
        sqlx::query_as(
            "select operation_id, repeats, command, outcome from operations
             where outcome <> '{\"applied\": null}'
                or account_id not in (select account_id from accounts where deleted_at is not null)",
        )
        .fetch_all(database)
        .await?;
    let stored: HashMap<Uuid, &OperationRow> = rows.iter().map(|row| (row.operation_id, row)).collect();
    let mut violations = Vec::new();
    // The key of the client that received the outcome, by the first operation.
    let mut keys: HashMap<Uuid, Uuid> = HashMap::new();
    for (operation_id, reported) in reported {
        let ReportedOutcome { key, outcome } = reported;
        let Some(row) = stored.get(operation_id) else {
            violations.push(format!(
                "lost: {operation_id} (key {key}) has no row, but its client received {outcome:?}"
            ));
            continue;
        };
        if row.outcome() != *outcome {
            violations.push(format!(
                "lost: {operation_id} ({}, key {key}) is stored as {:?}, but its client received {outcome:?}",
                row.command,
                row.outcome()
            ));
        }
        if keys.insert(row.first(), *key).is_some_and(|other| other != *key) {
            violations.push(format!("lost: {key} received the operation of another request"));
        }
    }
    for row in &rows {
        let (operation_id, command) = (row.operation_id, &row.command);
        let first = stored.get(&row.first());
        if first.is_none_or(|first| first.outcome() != row.outcome()) {
            violations
                .push(format!("lost: {operation_id} ({command}) has another outcome than the first one"));
        }
        if !keys.contains_key(&row.first()) && !UNREPORTED.contains(&command.as_str()) {
            violations.push(format!(
                "duplicated: {operation_id} ({command}) is stored as {:?}, but no client received it",
                row.outcome()
            ));
        }
    }
    Ok(violations)
}

/// Counts unfinished work: deferred commands, events, invalidations, notifications and deliveries.
///
/// # Errors
/// When the database does not respond.
pub async fn count_unfinished(database: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "select (select count(*) from begun_operations) + (select count(*) from outbox)
              + (select count(*) from game_changes where number is null)
              + (select count(*) from pending_invalidations) + (select count(*) from erasures)
              + (select count(*) from mails where state = 'waiting')
              + (select count(*) from payment_notifications where state = 'open')
              + (select count(*) from deliveries where state = 'open')",
    )
    .fetch_one(database)
    .await
}

/// The number of deliveries that no game server has made yet.
///
/// # Errors
/// When the database does not respond.
pub async fn count_open_deliveries(database: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar("select count(*) from deliveries where state = 'open'").fetch_one(database).await
}

/// Checks that hold when no work is unfinished: money; each guild has one leader, who is a member; no character is in two
/// guilds; each delivery was made once; each poison message is a dead letter.
///
/// # Errors
/// When the database does not respond.
pub async fn check_after_load(database: &PgPool, poison: usize) -> anyhow::Result<Vec<String>> {
    let mut violations = check_money(database).await?;
    let rest = run_queries(
        database,
        &[
            (
                "lost: guilds whose leader is not a member",
                "select name from guilds where not exists
                     (select from guild_members
                      where guild_members.guild_id = guilds.guild_id and character_id = leader_id)",
            ),
            (
                "duplicated: characters in more than one guild",
                "select name from guild_members join characters using (character_id)
                 group by character_id, name having count(*) > 1",
            ),
            (
                "lost: characters whose kept guild is not that of their membership",
                "select name from characters left join guild_members using (character_id)
                 where kept_guild_id is distinct from guild_members.guild_id",
            ),
            (
                "lost: deliveries that were not made",
                "select delivery_id::text from deliveries where state <> 'delivered'",
            ),
            (
                "duplicated: deliveries made more than once",
                "select delivery_id::text from delivery_events where what = 'delivered'
                 group by delivery_id having count(*) > 1",
            ),
            (
                "duplicated: operations without exactly one purchase",
                "select operation_id::text from purchases
                 full join (select operation_id, 1 as applied from operations
                            where command = 'shop.purchase' and outcome ? 'applied' and repeats is null) as operations using (operation_id)
                 group by operation_id having count(purchase_id) <> 1 or count(applied) <> 1",
            ),
        ],
    );
    violations.extend(rest.await?);
    let dead_letters: i64 =
        sqlx::query_scalar("select count(*) from dead_letters").fetch_one(database).await?;
    if usize::try_from(dead_letters)? != poison {
        violations.push(format!("lost: {poison} poison messages, but {dead_letters} dead letters"));
    }
    Ok(violations)
}

/// The number of applied and refused operations of each command: `{"guild.kick": {"applied": 12, "refused": 5}, …}`.
///
/// # Errors
/// When the database does not respond.
pub async fn count_by_command(database: &PgPool) -> sqlx::Result<Value> {
    let counts: Vec<(String, i64, i64)> = sqlx::query_as(
        "select command, count(*) filter (where outcome ? 'applied'), count(*) filter (where outcome ? 'refused')
         from operations group by command order by command",
    )
    .fetch_all(database)
    .await?;
    Ok(counts
        .into_iter()
        .map(|(command, applied, refused)| (command, json!({ "applied": applied, "refused": refused })))
        .collect())
}
