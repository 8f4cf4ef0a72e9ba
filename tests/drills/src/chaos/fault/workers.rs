//! Faults of the leases and the number of partitions.

use std::time::Duration;

use rand::{rngs::StdRng, seq::IteratorRandom};
use tokio::time::sleep;

use crate::{process::Process, stack::Stack};

/// In this time a worker that has joined gets partitions of the others.
const JOIN_TIME: Duration = Duration::from_secs(4);

/// The numbers of partitions of a domain, as `migrate` sets them during the drill.
const PARTITIONS: [u16; 3] = [4, 8, 12];

/// A worker joins, works for a while and stops.
pub(super) async fn join(stack: &Stack, duration: Duration) -> anyhow::Result<()> {
    stack.start(Process::ADDITIONAL_WORKER).await?;
    sleep(JOIN_TIME + duration).await;
    stack.stop(Process::ADDITIONAL_WORKER).await
}

/// A worker stops and is started again.
pub(super) async fn leave(stack: &Stack, worker: Process, downtime: Duration) -> anyhow::Result<()> {
    stack.stop(worker).await?;
    sleep(downtime).await;
    stack.start(worker).await
}

/// A worker is frozen until another one has its partitions, and continues with its old leases.
pub(super) async fn freeze_past_lease(
    stack: &Stack,
    worker: Process,
    duration: Duration,
) -> anyhow::Result<()> {
    stack.start(Process::ADDITIONAL_WORKER).await?;
    sleep(JOIN_TIME).await;
    stack.signal(worker, "STOP").await?;
    sleep(duration).await;
    stack.signal(worker, "CONT").await?;
    sleep(JOIN_TIME).await;
    stack.stop(Process::ADDITIONAL_WORKER).await
}

/// Changes the number of partitions.
pub(super) async fn repartition(stack: &Stack, random: &mut StdRng) -> anyhow::Result<()> {
    let number = PARTITIONS.into_iter().choose(random).unwrap_or_default().to_string();
    stack.dev(&["part", "migrate", "--partitions", &number]).await.map(drop)
}
