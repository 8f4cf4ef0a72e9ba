//! Relays the events of committed transactions to the topic exchange.

use std::time::Duration;

use guildhall_common::platform::{bus::Message, db};
use sqlx::PgConnection;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::app::App;

/// Events on the way at one time.
const BATCH: i64 = 100;

const RELAY_WITHIN: Duration = Duration::from_secs(60);

/// Postgres ends a transaction in which nothing happens for 10 s, and then all would be sent again.
const PUBLISH_WITHIN: Duration = Duration::from_secs(5);

const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Tells the world of something, once the transaction commits. Rules do it by their context.
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

/// Relays until told to stop. At least once: a consumer recognises a repetition by the message's id.
pub(crate) async fn relay(site: App) {
    while !site.stop.is_cancelled() {
        match timeout(RELAY_WITHIN, relay_batch(&site)).await.map_err(Into::into).flatten() {
            Ok(relayed) if relayed == BATCH as usize => {}
            Ok(_) => {
                site.stop.run_until_cancelled(sleep(LOOK_EVERY)).await;
            }
            Err(error) => {
                tracing::debug!(error = format!("{error:#}"), "events wait in the outbox");
                site.stop.run_until_cancelled(sleep(LOOK_EVERY * 4)).await;
            }
        }
    }
}

async fn relay_batch(site: &App) -> anyhow::Result<usize> {
    let mut transaction = db::begin(&site.database).await?;
    // One relay at a time, so that events keep their order; the others look again later.
    let mine = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended('guildhall.outbox', 0)) as "mine!""#
    )
    .fetch_one(&mut *transaction)
    .await?;
    if !mine {
        return Ok(0);
    }
    let events = sqlx::query!(
        "select event_id, topic, payload, operation_id, created_at from outbox order by event_id limit $1",
        BATCH,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let (mut relayed, mut failed) = (Vec::with_capacity(events.len()), None);
    let until = Instant::now() + PUBLISH_WITHIN;
    for event in events {
        let body = serde_json::json!({
            "event_id": event.event_id,
            "topic": event.topic,
            "at": event.created_at,
            "operation_id": event.operation_id,
            "payload": event.payload,
        });
        let message = Message {
            exchange: site.topology.events(),
            routing_key: event.topic,
            mandatory: false,
            message_id: event.event_id.to_string(),
            reply_to: None,
            body: body.to_string().into_bytes(),
        };
        let published = async { anyhow::Ok(timeout_at(until, site.publisher.publish(message)).await??) };
        // What went out before is not sent again because of this one.
        if let Err(error) = published.await {
            failed = Some(error);
            break;
        }
        relayed.push(event.event_id);
    }
    sqlx::query!("delete from outbox where event_id = any($1)", &relayed).execute(&mut *transaction).await?;
    transaction.commit().await?;
    failed.map_or(Ok(relayed.len()), Err)
}
