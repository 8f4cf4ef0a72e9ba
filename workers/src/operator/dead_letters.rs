//! Dead letters, for the command line.

use anyhow::Context;
use chrono::{DateTime, Utc};
use guildhall_common::{contract::site::DeadLetterId, platform::db};
use sqlx::PgPool;

use crate::{
    app::App,
    engine::{dead_letters, failure::into_error},
};

/// A message that could not be processed, without texts of people and without secrets.
#[derive(Debug)]
pub struct ListedDeadLetter {
    pub dead_letter_id: DeadLetterId,
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
pub async fn list(database: &PgPool) -> sqlx::Result<Vec<ListedDeadLetter>> {
    sqlx::query_as!(
        ListedDeadLetter,
        r#"select dead_letter_id as "dead_letter_id: DeadLetterId", queue, message, reason, died_at
           from dead_letters order by dead_letter_id"#,
    )
    .fetch_all(database)
    .await
}

/// Finds one dead letter.
///
/// # Errors
/// It does not exist.
pub async fn find(database: &PgPool, id: DeadLetterId) -> anyhow::Result<ListedDeadLetter> {
    sqlx::query_as!(
        ListedDeadLetter,
        r#"select dead_letter_id as "dead_letter_id: DeadLetterId", queue, message, reason, died_at
           from dead_letters where dead_letter_id = $1"#,
        id.get(),
    )
    .fetch_optional(database)
    .await?
    .with_context(|| format!("there is no dead letter {id}"))
}

/// Publishes a dead letter to its queue again.
///
/// # Errors
/// It does not exist, its queue rejects it, or it is older than the rows of operations.
pub async fn replay(app: &App, id: DeadLetterId) -> anyhow::Result<()> {
    let mut transaction = db::begin(&app.database).await?;
    let letter = dead_letters::take(&mut transaction, id, app.settings.retention.operations).await;
    let letter = letter.map_err(into_error)?;
    letter.entry.write(&mut transaction).await?;
    dead_letters::publish(&app.publisher, letter.message).await.map_err(into_error)?;
    Ok(transaction.commit().await?)
}

/// Discards a dead letter.
///
/// # Errors
/// It does not exist.
pub async fn discard(database: &PgPool, id: DeadLetterId) -> anyhow::Result<()> {
    let mut transaction = db::begin(database).await?;
    let entry = dead_letters::delete(&mut transaction, id, "dead_letter.discard").await;
    entry.map_err(into_error)?.write(&mut transaction).await?;
    Ok(transaction.commit().await?)
}
