//! The outbox: it relays the events of committed transactions to the topic exchange.

use chrono::{DateTime, Utc};
use guildhall_common::{contract::command::OperationId, platform::bus::EventMessage};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::{PgConnection, postgres::PgTransaction, types::Json};
use uuid::Uuid;

use crate::{app::App, engine::relay::Relay};

/// The maximum number of events in one transaction of the relay.
const BATCH_SIZE: i64 = 500;

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

/// Publishes the events. At least once: consumers recognise a repeated event by its message id.
pub(crate) struct Outbox;

impl Relay for Outbox {
    const NAME: &'static str = "outbox";

    async fn relay_batch(app: &App, mut transaction: PgTransaction<'static>) -> anyhow::Result<bool> {
        let events = sqlx::query!(
            r#"select event_id, topic, payload as "payload: Json<Box<RawValue>>", operation_id, created_at
               from outbox order by event_id limit $1"#,
            BATCH_SIZE,
        )
        .fetch_all(&mut *transaction)
        .await?;
        if events.is_empty() {
            return Ok(false);
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
        Ok(published == BATCH_SIZE as usize)
    }
}
