//! The outbox: it relays the events of committed transactions to the topic exchange.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::command::OperationId,
    platform::{backoff::Backoff, bus::EventMessage, db},
};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::{PgConnection, types::Json};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::app::App;

/// The maximum number of events in one transaction of the relay.
const BATCH_SIZE: i64 = 500;

const RELAY_TIMEOUT: Duration = Duration::from_secs(60);

const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// An event of a command, which is published after the commit.
#[derive(Serialize)]
pub(crate) struct OutboxEvent {
    pub(crate) operation_id: OperationId,
    pub(crate) topic: &'static str,
    pub(crate) payload: serde_json::Value,
}

/// The body of a message.
#[derive(Serialize)]
struct Body<'a> {
    event_id: i64,
    topic: &'a str,
    at: DateTime<Utc>,
    operation_id: Option<Uuid>,
    payload: &'a RawValue,
}

/// Publishes an event of a job after the commit. Rules use their context instead.
pub(crate) async fn put(
    database: &mut PgConnection,
    topic: &str,
    payload: &serde_json::Value,
) -> sqlx::Result<()> {
    sqlx::query!("insert into outbox (topic, payload) values ($1, $2)", topic, payload)
        .execute(database)
        .await?;
    Ok(())
}

/// Relays events until the worker stops. At least once: consumers recognise a repeated event by its message id.
pub(crate) async fn relay(app: App) {
    let mut backoff = Backoff::default();
    while !app.stop.is_cancelled() {
        match timeout(RELAY_TIMEOUT, relay_batch(&app)).await.map_err(Into::into).flatten() {
            Ok(relayed) => {
                backoff = Backoff::default();
                if relayed < BATCH_SIZE as usize {
                    app.stop.run_until_cancelled(sleep(POLL_INTERVAL)).await;
                }
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "events not relayed");
                app.stop.run_until_cancelled(backoff.wait()).await;
            }
        }
    }
}

async fn relay_batch(app: &App) -> anyhow::Result<usize> {
    let mut transaction = db::begin(&app.database).await?;
    // One worker relays at a time, so that events keep their order. The others poll again.
    let is_locked = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended('guildhall.outbox', 0)) as "is_locked!""#
    )
    .fetch_one(&mut *transaction)
    .await?;
    if !is_locked {
        return Ok(0);
    }
    let events = sqlx::query!(
        r#"select event_id, topic, payload as "payload: Json<Box<RawValue>>", operation_id, created_at
           from outbox order by event_id limit $1"#,
        BATCH_SIZE,
    )
    .fetch_all(&mut *transaction)
    .await?;
    if events.is_empty() {
        return Ok(0);
    }
    let (mut ids, mut messages) = (Vec::with_capacity(events.len()), Vec::with_capacity(events.len()));
    for event in events {
        let body = serde_json::to_vec(&Body {
            event_id: event.event_id,
            topic: &event.topic,
            at: event.created_at,
            operation_id: event.operation_id,
            payload: &event.payload,
        })?;
        ids.push(event.event_id);
        messages.push(EventMessage { topic: event.topic, message_id: event.event_id.to_string(), body });
    }
    let (published, result) = app.publisher.publish_events(&app.topology.events(), &messages).await;
    sqlx::query!("delete from outbox where event_id = any($1)", &ids[..published])
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    result?;
    Ok(published)
}
