//! Dead letters: messages that cannot be processed. They are stored with the reason until an operator replays or discards them.
//!
//! `dead_letters` has a redacted form for people. A replay needs the message as it was received: `dead_letter_bodies` has it
//! until the letter is replayed, discarded or too old for a replay.

use std::io;

use anyhow::Context;
use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        command::{Domain, Failure},
        site::{DeadLetterId, SiteRefusal, command_name},
    },
    platform::{
        backoff::Backoff,
        bus::{Message, PublishError, Publisher},
        db,
    },
};
use serde_json::{Value, json};
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
    let reason = &db::without_nul(&redacted.reason);
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

/// A dead letter that is deleted, to be published again.
pub(crate) struct TakenLetter {
    pub(crate) message: Message,
    pub(crate) entry: Entry,
}

/// Deletes a dead letter that can be replayed. The caller publishes its message and then commits, in this order. A crash in between
/// leaves both; the row of the operation makes the second one change nothing.
///
/// # Errors
/// The letter does not exist, or it is older than the rows of operations: no row would show that its sender has sent it again.
pub(crate) async fn take(
    database: &mut PgConnection,
    id: DeadLetterId,
    operations_kept: TimeDelta,
) -> Result<TakenLetter, Failure> {
    let letter = sqlx::query!(
        r#"select queue, body as "body?", died_at + $2::interval > clock_timestamp() as "is_recent!"
           from dead_letters left join dead_letter_bodies using (dead_letter_id)
           where dead_letter_id = $1 for update of dead_letters"#,
        id.get(),
        operations_kept as _,
    );
    let letter = letter.fetch_optional(&mut *database).await?.ok_or(SiteRefusal::DeadLetterNotFound)?;
    let body = letter.body.filter(|_| letter.is_recent).ok_or(SiteRefusal::DeadLetterTooOld)?;
    let entry = delete(database, id, "dead_letter.replay").await?;
    // It may be no JSON, which would spoil the message of other commands.
    let is_command = false;
    let message =
        Message { queue: letter.queue, message_id: String::new(), reply_to: None, body, is_command };
    Ok(TakenLetter { message, entry })
}

/// Publishes the message of a dead letter to its queue.
///
/// # Errors
/// Its queue rejects it, or RabbitMQ is not available.
pub(crate) async fn publish(publisher: &Publisher, message: Message) -> Result<(), Failure> {
    publisher.publish(message).await.map_err(|error| match error {
        PublishError::Rejected => SiteRefusal::QueueRejected.into(),
        PublishError::Unavailable | PublishError::Unknown => {
            Failure::Broken(sqlx::Error::Io(io::Error::other(error)))
        }
    })
}

/// Deletes a dead letter, and returns the audit entry with what it was.
///
/// # Errors
/// It does not exist.
pub(crate) async fn delete(
    database: &mut PgConnection,
    id: DeadLetterId,
    action: &'static str,
) -> Result<Entry, Failure> {
    let deleted = sqlx::query!(
        "delete from dead_letters where dead_letter_id = $1 returning queue, message, died_at",
        id.get(),
    );
    let deleted = deleted.fetch_optional(database).await?.ok_or(SiteRefusal::DeadLetterNotFound)?;
    // Not its message and its reason: they are redacted, but no rule recognises each text of a person.
    let command = deleted.message.as_deref().and_then(command_name);
    let before = json!({ "queue": deleted.queue, "command": command, "died_at": deleted.died_at });
    Ok(Entry::new(action, json!({ "dead_letter_id": id })).row(&before, &Value::Null))
}
