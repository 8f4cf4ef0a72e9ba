//! Group commit: the batches of several partitions of a domain share a transaction.
//!
//! The number of transactions at the same time is limited. The batches that wait for a place are committed together, so the more
//! commands wait, the less each of them costs: a transaction has fixed costs of its own.

use std::{sync::Arc, time::Instant};

use anyhow::Context;
use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::{
    app::App,
    engine::{
        batch::{process_batch, process_together},
        lease::Lease,
        rule::Rules,
        throughput::transaction_limit::{TransactionLimit, TransactionPermit},
        transaction::Accepted,
    },
};

/// The maximum number of commands in one transaction. A single batch never has more.
pub(crate) const MAX_COMMANDS: usize = 64;

/// The batches of one domain that wait for a transaction.
pub(crate) struct GroupCommit<D> {
    app: App,
    transactions: TransactionLimit,
    waiting: Arc<Mutex<Vec<WaitingBatch<D>>>>,
}

/// The commands of one partition.
struct WaitingBatch<D> {
    lease: Lease,
    commands: Vec<Accepted<D>>,
    /// Receives the result of the batch.
    done: oneshot::Sender<anyhow::Result<()>>,
}

impl<D> Clone for GroupCommit<D> {
    fn clone(&self) -> Self {
        Self { app: self.app.clone(), transactions: self.transactions.clone(), waiting: self.waiting.clone() }
    }
}

impl<D> GroupCommit<D> {
    pub(in crate::engine) fn new(app: &App, transactions: &TransactionLimit) -> Self {
        Self { app: app.clone(), transactions: transactions.clone(), waiting: Arc::default() }
    }
}

impl<D: Rules> GroupCommit<D> {
    /// Processes the batch of a partition as [`process_batch`] does, together with other batches that wait.
    ///
    /// # Errors
    /// Those of [`process_batch`].
    pub(crate) async fn process(&self, lease: &Lease, commands: Vec<Accepted<D>>) -> anyhow::Result<()> {
        if commands.is_empty() {
            return Ok(());
        }
        let (done, mut result) = oneshot::channel();
        self.waiting.lock().push(WaitingBatch { lease: lease.clone(), commands, done });
        loop {
            let permit = tokio::select! {
                biased;
                result = &mut result => return result.context("the transaction was abandoned")?,
                permit = self.transactions.acquire() => permit?,
            };
            let group = self.take();
            if group.is_empty() {
                drop(permit);
                // Another transaction has the batch.
                return result.await.context("the transaction was abandoned")?;
            }
            // A task of its own: it does not end with the consumer of one of its partitions.
            let this = self.clone();
            tokio::spawn(async move { this.process_group(group, permit).await });
        }
    }

    /// Takes the batches that have waited longest, as many as fit into one transaction.
    fn take(&self) -> Vec<WaitingBatch<D>> {
        let mut waiting = self.waiting.lock();
        // The messages of consumers that were cancelled are delivered again.
        waiting.retain(|batch| !batch.done.is_closed());
        let mut commands = 0;
        let fits = |batch: &WaitingBatch<D>| {
            commands += batch.commands.len();
            commands <= MAX_COMMANDS
        };
        let count = waiting.iter().map(fits).take_while(|fits| *fits).count();
        waiting.drain(..count).collect()
    }

    async fn process_group(&self, group: Vec<WaitingBatch<D>>, permit: TransactionPermit) {
        let started = Instant::now();
        let (mut leases, mut commands, mut parts) = (vec![], vec![], vec![]);
        for batch in group {
            let start = commands.len();
            commands.extend(batch.commands);
            parts.push((start..commands.len(), batch.done));
            leases.push(batch.lease);
        }
        let is_processed = process_together(&self.app, permit, &leases, &commands).await;
        let parts = leases.iter().zip(parts).map(async |(lease, (range, mut done))| {
            let result = if is_processed {
                Ok(())
            } else {
                tokio::select! {
                    result = process_batch(&self.app, &self.transactions, lease, &commands[range]) => result,
                    // The consumer was cancelled: its messages are delivered again.
                    () = done.closed() => return,
                }
            };
            let _ = done.send(result);
        });
        // At the same time: a command that fails for minutes holds only its own partition.
        join_all(parts).await;
        metrics::counter!("guildhall_commands_settled_total", "domain" => D::NAME)
            .increment(commands.len() as u64);
        metrics::histogram!("guildhall_batch_seconds", "domain" => D::NAME).record(started.elapsed());
    }
}
