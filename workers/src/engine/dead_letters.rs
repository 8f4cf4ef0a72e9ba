//! Dead letters: messages that cannot be processed. They are stored with the reason until an operator replays or discards them.
//!
//! `dead_letters` has a redacted form for people. A replay needs the message as it was received: `dead_letter_bodies` has it
//! until the letter is replayed, discarded or too old for a replay.

use anyhow::Context;
use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::command::Domain,
    platform::{backoff::Backoff, bus::Message, db},
};
use sqlx::{PgConnection, PgPool};

use crate::{
    app::App,
    engine::{audit::Entry, redaction::redact},
};

/// Stores a message of a domain as a dead letter.
pub(crate) async fn store_command<D: Domain>(app: &App, body: &[u8], reason: &str) -> anyhow::Result<()> {
    store(app, &app.topology.partition(D::NAME, 0), body, reason).await
}

/// Stores a dead letter. It retries until it succeeds or the worker stops, because the message must not be lost.
pub(crate) async fn store(app: &App, queue: &str, body: &[u8], reason: &str) -> anyhow::Result<()> {
    let redacted = redact(body, reason);
    // Postgres accepts no NUL in a text.
    let reason = &redacted.reason.replace('\0', "\u{fffd}");
    let mut backoff = Backoff::default();
    loop {
        match db::with_timeout(insert(&app.database, queue, body, &redacted.message, reason)).await {
            Ok(None) => return Ok(()),
            Ok(Some(dead_letter_id)) => {
                metrics::counter!("guildhall_dead_letters_total").increment(1);
                // The reason is not logged. It is redacted, but no rule recognises each text of a person.
                tracing::error!(dead_letter_id, queue, "message dead-lettered");
                return Ok(());
            }
            Err(error) => tracing::warn!(error = format!("{error:#}"), "message not dead-lettered, retrying"),
        }
        app.stop.run_until_cancelled(backoff.wait()).await.context("the worker is stopping")?;
    }
}

/// Returns the id of the dead letter, or None if the same message is already stored.
async fn insert(
    database: &PgPool,
    queue: &str,
    body: &[u8],
    message: &str,
    reason: &str,
) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "with stored as (
             insert into dead_letters (queue, message, message_hash, reason) values ($1, $2, sha256($3), $4)
             on conflict (queue, message_hash) do nothing returning dead_letter_id
         )
         insert into dead_letter_bodies (dead_letter_id, body) select dead_letter_id, $3 from stored
         returning dead_letter_id",
        queue,
        message,
        body,
        reason,
    )
    .fetch_optional(database)
    .await
}

/// A message that could not be processed, without texts of people and without secrets.
#[derive(Debug)]
pub struct DeadLetter {
    pub dead_letter_id: i64,
    pub queue: String,
    /// The redacted message. None if version 0.2.0 has stored it.
    pub message: Option<String>,
    pub reason: String,
    pub died_at: DateTime<Utc>,
}

/// Lists all dead letters, oldest first.
///
/// # Errors
/// Those of the database.
pub async fn list(database: &PgPool) -> sqlx::Result<Vec<DeadLetter>> {
    sqlx::query_as!(
        DeadLetter,
        "select dead_letter_id, queue, message, reason, died_at from dead_letters order by dead_letter_id",
    )
    .fetch_all(database)
    .await
}

/// Finds one dead letter.
///
/// # Errors
/// It does not exist.
pub async fn find(database: &PgPool, id: i64) -> anyhow::Result<DeadLetter> {
    sqlx::query_as!(
        DeadLetter,
        "select dead_letter_id, queue, message, reason, died_at from dead_letters where dead_letter_id = $1",
        id,
    )
    .fetch_optional(database)
    .await?
    .with_context(|| format!("there is no dead letter {id}"))
}

/// Deletes a dead letter and publishes it to its queue again. A crash in between leaves both; the row of the operation makes
/// the second one change nothing.
///
/// # Errors
/// It does not exist, its queue rejects it, or it is older than the rows of operations.
pub async fn replay(app: &App, id: i64) -> anyhow::Result<()> {
    must_be_replayable(app, id).await?;
    let letter = sqlx::query!(
        "select queue, body from dead_letters join dead_letter_bodies using (dead_letter_id) where dead_letter_id = $1",
        id,
    )
    .fetch_optional(&app.database)
    .await?
    .with_context(|| format!("there is no dead letter {id}"))?;
    // If anything fails, the rollback restores the dead letter.
    let mut transaction = db::begin(&app.database).await?;
    delete(&mut transaction, id, "dead_letter.replay").await?;
    let message = Message {
        queue: letter.queue,
        message_id: String::new(),
        reply_to: None,
        body: letter.body,
        // It may be no JSON, which would spoil the message of other commands.
        is_command: false,
    };
    app.publisher.publish(message).await?;
    Ok(transaction.commit().await?)
}

async fn must_be_replayable(app: &App, id: i64) -> anyhow::Result<()> {
    let kept = app.settings.operations_kept;
    let is_recent = sqlx::query_scalar!(
        r#"select died_at + $2::interval > clock_timestamp() as "is_recent!"
           from dead_letters where dead_letter_id = $1"#,
        id,
        kept as _,
    )
    .fetch_optional(&app.database)
    .await?;
    anyhow::ensure!(
        is_recent.unwrap_or(true),
        "dead letter {id} is older than {} days. If its sender has sent the command again, its row is already \
         deleted, and a replay would apply the command twice",
        kept.num_days()
    );
    Ok(())
}

/// Discards a dead letter.
///
/// # Errors
/// It does not exist.
pub async fn discard(database: &PgPool, id: i64) -> anyhow::Result<()> {
    let mut transaction = db::begin(database).await?;
    delete(&mut transaction, id, "dead_letter.discard").await?;
    Ok(transaction.commit().await?)
}

async fn delete(transaction: &mut PgConnection, id: i64, action: &'static str) -> anyhow::Result<()> {
    let deleted = sqlx::query!("delete from dead_letters where dead_letter_id = $1", id)
        .execute(&mut *transaction)
        .await?;
    anyhow::ensure!(deleted.rows_affected() == 1, "there is no dead letter {id}");
    Entry::new(action, serde_json::json!({ "dead_letter_id": id })).write(transaction).await?;
    Ok(())
}
