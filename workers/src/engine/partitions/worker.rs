//! The task that renews the leases of a worker, and starts and stops the consumers of its partitions.

use std::{
    collections::BTreeMap,
    iter,
    sync::Arc,
    time::{Duration, Instant},
};

use guildhall_common::platform::db;
use tokio::{
    task::{JoinError, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    app::App,
    engine::{
        backlog::Backlog,
        broker_connections::BrokerConnections,
        domains::Domains,
        lease::{Lease, Partition},
        throughput::{TransactionLimit, grow_with_workers},
    },
};

use super::{
    assignment::assign,
    leases::{self, Cluster, LEASE, Waits},
};

/// A worker that has no connection to RabbitMQ for this time leaves its partitions to others.
const BROKER_GRACE: Duration = Duration::from_secs(10);

const RENEWAL_INTERVAL: Duration = Duration::from_secs(1);

/// Processes the partitions that are this worker's, until the worker stops.
pub(crate) async fn run(app: App) {
    let (stop_connections, mut connecting) = (CancellationToken::new(), JoinSet::new());
    let connections = BrokerConnections::start(&app.broker, &stop_connections, &mut connecting);
    let transactions = TransactionLimit::of(&app);
    let mut worker = Worker {
        worker_id: Uuid::new_v4(),
        domains: Domains::new(&app, &transactions),
        transactions,
        app,
        connections,
        renewed_at: Instant::now(),
        connected_at: Instant::now(),
        running: BTreeMap::new(),
        consumers: JoinSet::new(),
    };
    let app = worker.app.clone();
    tokio::join!(worker.run(), grow_with_workers(app));
    stop_connections.cancel();
    connecting.join_all().await;
}

struct Worker {
    worker_id: Uuid,
    app: App,
    connections: BrokerConnections,
    renewed_at: Instant,
    /// When it last had a connection to RabbitMQ.
    connected_at: Instant,
    /// The partitions that have a consumer.
    running: BTreeMap<Partition, Running>,
    /// The running consumers. Each returns its lease.
    consumers: JoinSet<Lease>,
    domains: Domains,
    transactions: TransactionLimit,
}

/// A consumer of a partition.
struct Running {
    stop: CancellationToken,
    /// That of the lease.
    expired: CancellationToken,
    epoch: i64,
    backlog: Arc<Backlog>,
    /// What the database has.
    stored_waits: Waits,
}

impl Worker {
    async fn run(&mut self) {
        // Until then, other workers must not leave partitions to this one.
        self.app.stop.run_until_cancelled(self.connections.any(None)).await;
        self.connected_at = Instant::now();
        while !self.app.stop.is_cancelled() {
            if let Err(error) = self.update().await {
                tracing::warn!(error = format!("{error:#}"), "leases of partitions not renewed");
            }
            if self.renewed_at.elapsed() > LEASE {
                self.expire();
            }
            self.report_ages();
            self.wait().await;
        }
        // The consumers stop with the worker.
        while let Some(ended) = self.consumers.join_next().await {
            self.give_back(ended).await;
        }
        if let Err(error) = db::with_timeout(leases::leave(&self.app.database, self.worker_id)).await {
            tracing::debug!(error = format!("{error:#}"), "the worker is not removed");
        }
    }

    /// Waits for the next renewal. Meanwhile it returns the leases of consumers that have ended.
    async fn wait(&mut self) {
        let stop = self.app.stop.clone();
        let next_renewal = sleep(RENEWAL_INTERVAL);
        tokio::pin!(next_renewal);
        loop {
            let ended = tokio::select! {
                Some(ended) = self.consumers.join_next() => ended,
                () = &mut next_renewal => return,
                () = stop.cancelled() => return,
            };
            self.give_back(ended).await;
        }
    }

    /// Ends the consumers: others may have the leases.
    fn expire(&self) {
        for running in self.running.values() {
            running.stop.cancel();
            running.expired.cancel();
        }
    }

    async fn update(&mut self) -> anyhow::Result<()> {
        if self.connections.are_connected() {
            self.connected_at = Instant::now();
        } else if self.connected_at.elapsed() > BROKER_GRACE {
            db::with_timeout(leases::leave(&self.app.database, self.worker_id)).await?;
            anyhow::bail!("RabbitMQ does not respond");
        }
        // After an interruption the other workers may count as dead only because they were interrupted, too.
        let was_alive = self.renewed_at.elapsed() < LEASE;
        let cluster = db::with_timeout(leases::renew(&self.app.database, self.worker_id)).await?;
        self.renewed_at = Instant::now();
        db::with_timeout(self.transactions.adapt(&self.app.database, cluster.workers.len())).await?;
        self.app.topology.set_partitions(cluster.count);
        let assigned = assign(&cluster.owners, &cluster.workers);
        let is_mine = |partition: &Partition| assigned.get(partition) == Some(&self.worker_id);
        for (partition, running) in &self.running {
            let is_leased = cluster.owners.get(partition) == Some(&Some(self.worker_id));
            if !is_leased || !is_mine(partition) {
                running.stop.cancel();
            }
        }
        let wanted = cluster.owners.iter().filter(|(partition, owner)| match owner {
            None => is_mine(partition),
            // The response to the statement that took the lease was lost.
            Some(owner) => *owner == self.worker_id,
        });
        let wanted: Vec<_> = wanted
            .map(|(partition, _)| partition)
            .filter(|partition| !self.running.contains_key(partition))
            .collect();
        if was_alive && !wanted.is_empty() {
            let taken = leases::take(&self.app.database, self.worker_id, &wanted);
            for lease in db::with_timeout(taken).await? {
                self.start(lease);
            }
        }
        report(&cluster, self.worker_id);
        self.store_waits().await
    }

    /// Stores how long commands wait, for the apis. It writes nothing while no wait changes.
    async fn store_waits(&mut self) -> anyhow::Result<()> {
        let waits = self
            .running
            .iter()
            .map(|(partition, running)| (partition, running.epoch, waits_of(&running.backlog)));
        let waits: Vec<_> =
            waits.filter(|(partition, _, waits)| self.running[*partition].stored_waits != *waits).collect();
        if waits.is_empty() {
            return Ok(());
        }
        db::with_timeout(leases::store_waits(&self.app.database, &waits)).await?;
        // Only now: a wait that is not stored is tried again. An old one in the database would refuse commands for ever.
        let stored: Vec<_> =
            waits.into_iter().map(|(partition, _, waits)| (partition.clone(), waits)).collect();
        for (partition, waits) in stored {
            if let Some(running) = self.running.get_mut(&partition) {
                running.stored_waits = waits;
            }
        }
        Ok(())
    }

    fn report_ages(&self) {
        for (partition, running) in &self.running {
            report_age(partition, running.backlog.age(), running.backlog.wait());
        }
    }

    fn start(&mut self, lease: Lease) {
        let (stop, backlog) = (self.app.stop.child_token(), Arc::<Backlog>::default());
        let running = Running {
            stop: stop.clone(),
            expired: lease.expired.clone(),
            epoch: lease.epoch,
            backlog: backlog.clone(),
            stored_waits: Waits::default(),
        };
        self.running.insert(lease.partition.clone(), running);
        let app = App { stop, ..self.app.clone() };
        let (connections, domains) = (self.connections.clone(), self.domains.clone());
        self.consumers.spawn(domains.consume(app, connections, lease, backlog));
    }

    /// Returns the lease of a consumer that has ended, together with those of all others that have ended: if Postgres does not
    /// respond, each statement takes seconds.
    async fn give_back(&mut self, ended: Result<Lease, JoinError>) {
        let others = iter::from_fn(|| self.consumers.try_join_next());
        let ended: Vec<_> = iter::once(ended).chain(others).filter_map(Result::ok).collect();
        for lease in &ended {
            self.running.remove(&lease.partition);
            report_age(&lease.partition, Duration::ZERO, Duration::ZERO);
        }
        if let Err(error) = db::with_timeout(leases::give_back(&self.app.database, &ended)).await {
            // The leases end without this when the worker has left.
            tracing::debug!(error = format!("{error:#}"), "leases of partitions not returned");
        }
    }
}

fn report_age(Partition { domain, number }: &Partition, age: Duration, wait: Duration) {
    let labels = [("domain", domain.clone()), ("partition", number.to_string())];
    metrics::gauge!("guildhall_queue_age_seconds", &labels).set(age.as_secs_f64());
    metrics::gauge!("guildhall_queue_wait_seconds", &labels).set(wait.as_secs_f64());
}

fn waits_of(backlog: &Backlog) -> Waits {
    let seconds = |duration: Duration| i32::try_from(duration.as_secs()).unwrap_or(i32::MAX);
    Waits { new: seconds(backlog.wait()), oldest: seconds(backlog.age()) }
}

fn report(cluster: &Cluster, worker_id: Uuid) {
    let leased = cluster.owners.values().filter(|owner| **owner == Some(worker_id)).count();
    metrics::gauge!("guildhall_partitions_leased").set(leased as f64);
    metrics::gauge!("guildhall_workers_alive").set(cluster.workers.len() as f64);
}
