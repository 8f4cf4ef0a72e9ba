//! The transaction of one batch: it applies the new commands, and stores their outcomes.

use std::mem;

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{CompletedOperation, Envelope, OperationId, Outcome, Refused},
};
use sqlx::PgConnection;

use crate::{
    app::App,
    engine::{
        deferred,
        idempotency::{KeyClaims, RequestKind},
        lease::Lease,
        operations::{self, Completed, Deferred, Known},
        outbox::OutboxEvent,
        rule::{Applied, Applier, ApplyFirst, Rules},
        throughput::{
            TransactionPermit,
            batch_statements::{self, BatchStart},
        },
        trail::Trail,
    },
};

/// A command that was received from the queue.
pub(crate) struct Accepted<D> {
    pub(crate) envelope: Envelope<D>,
    pub(crate) reply_to: Option<String>,
    /// The message as received, for dead-lettering.
    pub(crate) body: Vec<u8>,
}

/// Applies the new commands of a batch in one transaction, under the leases of their partitions. It returns the outcomes of the new and of the known commands.
///
/// # Errors
/// Those of the database and of the rules. Some can occur after the commit; then the next attempt finds the rows.
pub(crate) async fn apply_batch<D: Rules>(
    app: &App,
    permit: &TransactionPermit,
    leases: &[Lease],
    batch: &[Accepted<D>],
) -> anyhow::Result<Vec<Completed>> {
    // Unless it is kept, the connection is closed, which rolls its transaction back.
    let mut connection = permit.connection(&app.database).await?;
    let mut transaction = BatchTransaction::begin(app, &mut connection, batch).await?;
    transaction.process(batch).await?;
    let completed = transaction.commit(leases).await?;
    permit.keep(connection, &app.database);
    Ok(completed)
}

struct BatchTransaction<'a, D> {
    app: &'a App,
    database: &'a mut PgConnection,
    now: DateTime<Utc>,
    known: Known,
    claims: KeyClaims,
    /// The commands that this transaction has applied or started.
    fresh: Vec<&'a Envelope<D>>,
    events: Vec<OutboxEvent>,
    scheduled: bool,
}

impl<'a, D: Rules> BatchTransaction<'a, D> {
    async fn begin(
        app: &'a App,
        database: &'a mut PgConnection,
        batch: &[Accepted<D>],
    ) -> anyhow::Result<Self> {
        let envelopes: Vec<_> = batch.iter().map(|accepted| &accepted.envelope).collect();
        // Refused commands keep their claims, so the claims are made outside of the savepoints.
        let BatchStart { now, known, claims } = batch_statements::begin(database, &envelopes).await?;
        let (fresh, events) = (vec![], vec![]);
        let mut batch_transaction =
            Self { app, database, now, known, claims, fresh, events, scheduled: false };
        batch_transaction.find_repeated(batch).await?;
        Ok(batch_transaction)
    }

    /// Finds the first operations that requests of the batch repeat.
    async fn find_repeated(&mut self, batch: &[Accepted<D>]) -> anyhow::Result<()> {
        let first = batch.iter().filter_map(|accepted| match self.claims.kind(&accepted.envelope) {
            RequestKind::Repeated(first) => Some(first),
            RequestKind::First | RequestKind::Reused => None,
        });
        let mut first: Vec<_> = first.collect();
        while !first.is_empty() {
            // A job may complete a deferred one at this moment. The lock decides whether it completes the repeated ones, too.
            deferred::lock(self.database, &first).await?;
            let found = operations::find(self.database, &first).await?;
            // While a secret is replaced, the first operation with a key may repeat one with the same key under the old secret.
            first = found.deferred.values().filter_map(|deferred| deferred.repeats).collect();
            self.known.extend(found);
        }
        Ok(())
    }

    /// Applies the new commands in their order, so that a command sees the changes of those before it.
    async fn process(&mut self, batch: &'a [Accepted<D>]) -> anyhow::Result<()> {
        let mut new = vec![];
        for accepted in batch {
            // The batch may have a message twice.
            if new.iter().any(|it: &&Accepted<D>| it.envelope.operation_id == accepted.envelope.operation_id)
            {
                self.apply(mem::take(&mut new)).await?;
            }
            match self.new_request(&accepted.envelope) {
                None => {}
                Some(RequestKind::First) => new.push(accepted),
                Some(RequestKind::Reused) => {
                    self.complete(&accepted.envelope, None, Outcome::Refused(Refused::key_reused()), vec![]);
                }
                Some(RequestKind::Repeated(first)) => {
                    // It may be among them.
                    self.apply(mem::take(&mut new)).await?;
                    self.repeat(accepted, first).await?;
                }
            }
        }
        self.apply(new).await
    }

    /// What the request is to its idempotency key. None: its operation is completed, or refused because of another request with the key.
    fn new_request(&self, envelope: &Envelope<D>) -> Option<RequestKind> {
        let operation_id = envelope.operation_id;
        let first = self.known.deferred.get(&operation_id);
        // Another request with the same key is not completed yet. The waiting process learns of the conflict from its outcome.
        let is_reused_key = first.is_some_and(|first| first.fingerprint != envelope.fingerprint);
        let is_known = is_reused_key || self.known.completed.contains_key(&operation_id);
        (!is_known).then(|| self.claims.kind(envelope))
    }

    async fn apply(&mut self, commands: Vec<&'a Accepted<D>>) -> anyhow::Result<()> {
        let envelopes: Vec<_> = commands.iter().map(|accepted| &accepted.envelope).collect();
        let mut results = Vec::with_capacity(commands.len());
        let mut applier = Applier { app: self.app, database: self.database, now: self.now };
        while results.len() < commands.len() {
            let commands = &envelopes[results.len()..];
            let first = &commands[0].command;
            results.extend(first.dispatch(ApplyFirst { applier: &mut applier, commands }).await?);
        }
        for (accepted, Applied { outcome, effects }) in commands.into_iter().zip(results) {
            let operation_id = accepted.envelope.operation_id;
            self.scheduled |= effects.scheduled;
            let events = effects.events.into_iter();
            self.events.extend(events.map(|(topic, payload)| OutboxEvent { operation_id, topic, payload }));
            match outcome {
                Some(outcome) => self.complete(&accepted.envelope, None, outcome, effects.stale_keys),
                None => self.defer(accepted, None).await?,
            }
        }
        Ok(())
    }

    /// Gives the operation the outcome of the first one that it repeats, now or when that one is completed.
    async fn repeat(&mut self, accepted: &'a Accepted<D>, first: OperationId) -> anyhow::Result<()> {
        if let Some(Completed { operation, stale_keys, .. }) = self.known.completed.get(&first) {
            let (outcome, stale_keys) = (operation.outcome.clone(), stale_keys.clone());
            let first = operation.repeats.unwrap_or(first);
            self.complete(&accepted.envelope, Some(first), outcome, stale_keys);
            return Ok(());
        }
        // Its row can only be missing if it was purged after its claim was read. Then the next attempt claims the key.
        let deferred = self.known.deferred.get(&first).context("the first operation of a key is gone")?;
        let first = deferred.repeats.unwrap_or(first);
        Ok(self.defer(accepted, Some(first)).await?)
    }

    fn complete(
        &mut self,
        envelope: &'a Envelope<D>,
        repeats: Option<OperationId>,
        outcome: Outcome,
        stale_keys: Vec<CacheKey>,
    ) {
        let (operation_id, fingerprint) = (envelope.operation_id, envelope.fingerprint.clone());
        let operation = CompletedOperation { operation_id, fingerprint, outcome, repeats };
        self.known.completed.insert(operation_id, Completed { operation, stale_keys });
        self.fresh.push(envelope);
    }

    async fn defer(&mut self, accepted: &'a Accepted<D>, repeats: Option<OperationId>) -> sqlx::Result<()> {
        let Accepted { envelope, reply_to, .. } = accepted;
        deferred::insert(self.database, envelope, reply_to.as_deref(), repeats).await?;
        let deferred = Deferred { fingerprint: envelope.fingerprint.clone(), repeats };
        self.known.deferred.insert(envelope.operation_id, deferred);
        self.fresh.push(envelope);
        Ok(())
    }

    /// Stores the outcomes and the events, and commits.
    async fn commit(self, leases: &[Lease]) -> anyhow::Result<Vec<Completed>> {
        let completed = &self.known.completed;
        let fresh = self
            .fresh
            .iter()
            .filter_map(|envelope| Some((*envelope, completed.get(&envelope.operation_id)?)));
        batch_statements::commit(self.database, leases, fresh, &self.events).await?;
        for envelope in &self.fresh {
            let completed = completed.get(&envelope.operation_id);
            Trail::of(envelope).log_outcome(completed.map(|completed| &completed.operation.outcome));
        }
        if self.scheduled {
            self.app.due.send_replace(());
        }
        Ok(self.known.completed.into_values().collect())
    }
}
