//! The consumers of all domains.

use std::{collections::HashMap, sync::Arc};

use futures_util::future::BoxFuture;
use guildhall_common::contract::{
    self,
    command::{Visit, Visitor},
};

use crate::{
    app::App,
    engine::{
        backlog::Backlog,
        broker_connections::BrokerConnections,
        command_queue,
        lease::Lease,
        rule::Rules,
        throughput::{GroupCommit, TransactionLimit},
    },
};

/// What consumes the partitions of a domain, by the name of the domain.
#[derive(Clone)]
pub(super) struct Domains(Arc<HashMap<&'static str, Box<dyn ConsumeDomain>>>);

impl Domains {
    pub(super) fn new(app: &App, transactions: &TransactionLimit) -> Self {
        Self(Arc::new(contract::visit_domains(NewConsumer(app, transactions)).into_iter().collect()))
    }

    /// Consumes the queue of a partition until the lease is lost or `app.stop` is cancelled.
    pub(super) async fn consume(
        self,
        app: App,
        connections: BrokerConnections,
        lease: Lease,
        backlog: Arc<Backlog>,
    ) -> Lease {
        let domain = lease.partition.domain.as_str();
        match self.0.get(domain) {
            Some(consumer) => consumer.consume(&app, &connections, &lease, backlog).await,
            None => tracing::warn!(domain, "unknown domain: the database is newer than this worker"),
        }
        lease
    }
}

/// Consumes the partitions of one domain.
trait ConsumeDomain: Send + Sync {
    fn consume<'a>(
        &'a self,
        app: &'a App,
        connections: &'a BrokerConnections,
        lease: &'a Lease,
        backlog: Arc<Backlog>,
    ) -> BoxFuture<'a, ()>;
}

impl<D: Rules> ConsumeDomain for GroupCommit<D> {
    fn consume<'a>(
        &'a self,
        app: &'a App,
        connections: &'a BrokerConnections,
        lease: &'a Lease,
        backlog: Arc<Backlog>,
    ) -> BoxFuture<'a, ()> {
        Box::pin(command_queue::run(app, connections, lease, self.clone(), backlog))
    }
}

#[derive(Clone)]
struct NewConsumer<'a>(&'a App, &'a TransactionLimit);

impl Visitor for NewConsumer<'_> {
    type Output = (&'static str, Box<dyn ConsumeDomain>);
}

impl<D: Rules> Visit<D> for NewConsumer<'_> {
    fn visit(self) -> Self::Output {
        (D::NAME, Box::new(GroupCommit::<D>::new(self.0, self.1)))
    }
}
