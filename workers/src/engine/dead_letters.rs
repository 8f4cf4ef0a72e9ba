//! Messages that were put aside: kept with their reason until someone replays or
//! discards them.

use anyhow::Context;
use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::command::Domain,
    platform::{backoff::Backoff, bus::Message, db},
};
use sqlx::{PgConnection, PgPool};

use crate::{app::App, engine::audit};

/// Puts a message of a domain aside, for as long as it takes: it must not get lost.
pub(crate) async fn bury<D: Domain>(site: &App, body: &[u8], reason: &str) -> anyhow::Result<()> {
    keep(site, &site.topology.commands::<D>(), body, reason).await
}

pub(crate) async fn keep(site: &App, queue: &str, body: &[u8], reason: &str) -> anyhow::Result<()> {
    // Postgres takes no NUL in a text, and the reason may quote the message.
    let reason = &reason.replace('\0', "\u{fffd}");
    let mut pause = Backoff::default();
    loop {
        let insert = sqlx::query_scalar!(
            "insert into dead_letters (queue, body, reason) values ($1, $2, $3)
             on conflict (queue, sha256(body)) do nothing returning dead_letter_id",
            queue,
            body,
            reason,
        );
        match db::with_timeout(insert.fetch_optional(&site.database)).await {
            Ok(None) => return Ok(()),
            Ok(Some(dead_letter_id)) => {
                metrics::counter!("guildhall_dead_letters_total").increment(1);
                // The reason may quote the message: it is not for the log.
                tracing::error!(dead_letter_id, queue, "a message was put aside");
                return Ok(());
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "a message cannot be put aside yet");
            }
        }
        site.stop.run_until_cancelled(pause.wait()).await.context("told to stop")?;
    }
}

/// A message that was put aside.
#[derive(Debug)]
pub struct DeadLetter {
    pub dead_letter_id: i64,
    pub queue: String,
    pub body: Vec<u8>,
    pub reason: String,
    pub died_at: DateTime<Utc>,
}

/// All of them, oldest first.
///
/// # Errors
/// The database's.
pub async fn list(database: &PgPool) -> sqlx::Result<Vec<DeadLetter>> {
    sqlx::query_as!(
        DeadLetter,
        "select dead_letter_id, queue, body, reason, died_at from dead_letters order by dead_letter_id",
    )
    .fetch_all(database)
    .await
}

/// One of them.
///
/// # Errors
/// When there is none of this id.
pub async fn find(database: &PgPool, id: i64) -> anyhow::Result<DeadLetter> {
    sqlx::query_as!(
        DeadLetter,
        "select dead_letter_id, queue, body, reason, died_at from dead_letters where dead_letter_id = $1",
        id,
    )
    .fetch_optional(database)
    .await?
    .with_context(|| format!("there is no dead letter {id}"))
}

/// Forgets one and publishes it to its queue again. A crash in between leaves both;
/// the operation's row absorbs the second.
///
/// # Errors
/// When there is none of this id, its queue does not take it, or it is older than operations are kept.
pub async fn replay(site: &App, id: i64) -> anyhow::Result<()> {
    let letter = find(&site.database, id).await?;
    let kept = site.settings.operations_kept;
    anyhow::ensure!(
        letter.died_at + kept > Utc::now(),
        "dead letter {id} is older than {} days: whoever sent it may have sent it again, and nobody would know any more that it was applied",
        kept.num_days()
    );
    // In this order, so that it is put aside anew should it fail before this is over.
    let mut transaction = db::begin(&site.database).await?;
    forget(&mut transaction, id, "dead_letter.replay").await?;
    let message = Message {
        exchange: String::new(),
        routing_key: letter.queue,
        mandatory: true,
        message_id: String::new(),
        reply_to: None,
        body: letter.body,
    };
    site.publisher.publish(message).await?;
    Ok(transaction.commit().await?)
}

/// Forgets one for good.
///
/// # Errors
/// When there is none of this id.
pub async fn discard(database: &PgPool, id: i64) -> anyhow::Result<()> {
    let mut transaction = db::begin(database).await?;
    forget(&mut transaction, id, "dead_letter.discard").await?;
    Ok(transaction.commit().await?)
}

async fn forget(transaction: &mut PgConnection, id: i64, action: &str) -> anyhow::Result<()> {
    let forgotten = sqlx::query!("delete from dead_letters where dead_letter_id = $1", id)
        .execute(&mut *transaction)
        .await?;
    anyhow::ensure!(forgotten.rows_affected() == 1, "there is no dead letter {id}");
    audit::write(transaction, None, action, serde_json::json!({ "dead_letter_id": id }), None).await?;
    Ok(())
}
