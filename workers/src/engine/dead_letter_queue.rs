//! The queue of dead letters, to which the broker moves a message that it has delivered too often.

use guildhall_common::{contract::message, platform::bus::supervise};
use lapin::{message::Delivery, types::AMQPValue};

use crate::{
    app::App,
    engine::{
        consumer::{QueueHandler, consume},
        dead_letters,
        trail::Trail,
    },
};

/// Handles the messages that the broker dead-lettered because it delivered them too often.
struct DeadLetterHandler;

/// Consumes the queue of dead letters until the worker stops.
pub(crate) async fn run(app: App) {
    let queue = app.topology.dead_letters();
    let run = async |connection, _| consume(&app, connection, &queue, &DeadLetterHandler).await;
    supervise(app.broker.clone(), "dead", app.stop.clone(), run).await;
}

impl QueueHandler for DeadLetterHandler {
    async fn process(&self, app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        for delivery in batch {
            let queue = original_queue(delivery);
            let reason = "it was delivered too often, so it may crash the worker";
            for body in message::split(&delivery.data) {
                let trail = Trail::of_message(body);
                trail.follow(dead_letters::store(app, &queue, body, reason)).await?;
            }
        }
        Ok(())
    }
}

/// The queue from which the broker dead-lettered the message.
fn original_queue(delivery: &Delivery) -> String {
    let headers = delivery.properties.headers().as_ref();
    match headers.and_then(|headers| headers.inner().get("x-first-death-queue")) {
        Some(AMQPValue::LongString(queue)) => queue.to_string(),
        _ => delivery.routing_key.to_string(),
    }
}
