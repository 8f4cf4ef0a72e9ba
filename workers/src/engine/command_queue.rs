//! The queue of a partition: its commands are decoded and applied.

use std::sync::Arc;

use guildhall_common::{
    contract::{
        command::{Domain, Envelope},
        message,
    },
    platform::{
        backoff::Backoff,
        bus::{GOOD_AFTER, SwitchNode},
    },
};
use lapin::message::Delivery;
use tokio::time::Instant;

use crate::{
    app::App,
    engine::{
        backlog::Backlog,
        broker_connections::BrokerConnections,
        consumer::{QueueHandler, consume},
        dead_letters,
        failure::catch_panic,
        lease::{Lease, LeaseLost},
        rule::Rules,
        throughput::{GroupCommit, MAX_COMMANDS},
        trail::Trail,
        transaction::Accepted,
    },
};

/// Handles the commands of one partition of a domain.
struct CommandHandler<D> {
    lease: Lease,
    backlog: Arc<Backlog>,
    group_commit: GroupCommit<D>,
}

/// Consumes the queue of a partition until the lease is lost or `app.stop` is cancelled.
pub(super) async fn run<D: Rules>(
    app: &App,
    connections: &BrokerConnections,
    lease: &Lease,
    group_commit: GroupCommit<D>,
    backlog: Arc<Backlog>,
) {
    let queue = app.topology.partition(D::NAME, lease.partition.number);
    let handler = CommandHandler { lease: lease.clone(), backlog, group_commit };
    let (mut backoff, mut previous) = (Backoff::default(), None);
    while let Some((node, shared)) = app.stop.run_until_cancelled(connections.any(previous)).await {
        previous = Some(node);
        let started = Instant::now();
        let consuming = catch_panic(consume(app, shared.connection.clone(), &queue, &handler));
        match shared.closed.run_until_cancelled(consuming).await {
            Some(Ok(())) => return,
            Some(Err(error)) if error.is::<LeaseLost>() => {
                tracing::warn!(queue, "the lease of the partition is lost");
                return;
            }
            Some(Err(error)) if error.is::<SwitchNode>() => continue,
            Some(Err(error)) => {
                tracing::warn!(queue, error = format!("{error:#}"), "consumer failed, connecting again");
                shared.fail();
            }
            None => (),
        }
        if started.elapsed() > GOOD_AFTER {
            backoff = Backoff::default();
        }
        app.stop.run_until_cancelled(backoff.wait()).await;
    }
}

impl<D: Rules> QueueHandler for CommandHandler<D> {
    async fn process(&self, app: &App, batch: &[Delivery]) -> anyhow::Result<()> {
        let started = Instant::now();
        let accepted = decode::<D>(app, batch).await?;
        self.backlog.begin_batch(accepted.first().map(|oldest| oldest.envelope.accepted_at));
        let mut accepted = accepted.into_iter().peekable();
        while accepted.peek().is_some() {
            let commands = accepted.by_ref().take(MAX_COMMANDS).collect();
            // A batch can be retried for ever, and the broker delivers to the next owner of the lease only when this consumer has ended.
            let processing = self.group_commit.process(&self.lease, commands);
            self.lease.expired.run_until_cancelled(processing).await.ok_or(LeaseLost)??;
        }
        self.backlog.end_batch(batch.len(), started.elapsed());
        Ok(())
    }

    fn set_waiting(&self, messages: u32) {
        self.backlog.set_waiting(messages);
    }
}

/// Decodes the commands of the messages. One that cannot be decoded becomes a dead letter.
async fn decode<D: Domain>(app: &App, batch: &[Delivery]) -> anyhow::Result<Vec<Accepted<D>>> {
    let mut accepted = Vec::with_capacity(batch.len());
    for delivery in batch {
        let reply_to = delivery.properties.reply_to().as_ref().map(ToString::to_string);
        for body in message::split(&delivery.data) {
            match Envelope::decode(body) {
                Ok(envelope) => {
                    accepted.push(Accepted { envelope, reply_to: reply_to.clone(), body: body.to_vec() });
                }
                Err(error) => {
                    let reason = format!("{error:#}");
                    let trail = Trail::of_message(body);
                    trail.follow(dead_letters::store_command::<D>(app, body, &reason)).await?;
                }
            }
        }
    }
    Ok(accepted)
}
