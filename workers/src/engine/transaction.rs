//! The transaction of one batch: it applies the new commands, each in a savepoint, and stores their outcomes.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::command::{CompletedOperation, Envelope, Failure, Outcome},
    platform::db,
};
use sqlx::{Acquire, PgTransaction};

use crate::{
    app::App,
    engine::{
        deferred,
        operations::{self, Completed, Known},
        outbox::{self, OutboxEvent},
        rule::{Context, Effects, Progress, Rules},
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

/// Applies the new commands of a batch in one transaction. It returns the outcomes of the new and of the known commands.
///
/// # Errors
/// Those of the database and of the rules. Some can occur after the commit; then the next attempt finds the rows.
pub(crate) async fn apply_batch<D: Rules>(
    app: &App,
    batch: &[Accepted<D>],
) -> anyhow::Result<Vec<Completed>> {
    let mut transaction = BatchTransaction::begin(app, batch).await?;
    for accepted in batch {
        transaction.process(accepted).await?;
    }
    transaction.commit().await
}

struct BatchTransaction<'a, D> {
    app: &'a App,
    transaction: PgTransaction<'static>,
    now: DateTime<Utc>,
    known: Known,
    /// The commands that this transaction has applied or started.
    fresh: Vec<&'a Envelope<D>>,
    events: Vec<OutboxEvent>,
    scheduled: bool,
}

impl<'a, D: Rules> BatchTransaction<'a, D> {
    async fn begin(app: &'a App, batch: &[Accepted<D>]) -> anyhow::Result<Self> {
        let mut transaction = db::begin(&app.database).await?;
        // Reads use the clock of the database too.
        let now =
            sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#).fetch_one(&mut *transaction).await?;
        let ids: Vec<_> = batch.iter().map(|accepted| accepted.envelope.operation_id).collect();
        let known = operations::find(&mut transaction, &ids).await?;
        Ok(Self { app, transaction, now, known, fresh: vec![], events: vec![], scheduled: false })
    }

    /// Applies a command, unless its operation is completed.
    async fn process(&mut self, accepted: &'a Accepted<D>) -> anyhow::Result<()> {
        let envelope = &accepted.envelope;
        let operation_id = envelope.operation_id;
        let first = self.known.deferred.get(&operation_id);
        // Another request with the same key is not completed yet. The waiting process learns of the conflict from its outcome.
        let is_reused_key = first.is_some_and(|fingerprint| *fingerprint != envelope.fingerprint);
        if is_reused_key || self.known.completed.contains_key(&operation_id) {
            return Ok(());
        }
        let (outcome, effects) = Trail::of(envelope).follow(self.apply(envelope)).await?;
        self.scheduled |= effects.scheduled;
        self.fresh.push(envelope);
        let events = effects.events.into_iter();
        self.events.extend(events.map(|(topic, payload)| OutboxEvent { operation_id, topic, payload }));
        let fingerprint = envelope.fingerprint.clone();
        if let Some(outcome) = outcome {
            let operation = CompletedOperation { operation_id, fingerprint, outcome };
            let completed = Completed { operation, stale_keys: effects.stale_keys };
            self.known.completed.insert(operation_id, completed);
        } else {
            deferred::insert(&mut self.transaction, envelope, accepted.reply_to.as_deref()).await?;
            self.known.deferred.insert(operation_id, fingerprint);
        }
        Ok(())
    }

    /// Applies one command in a savepoint, which a refusal rolls back. A deferred command has no outcome yet.
    async fn apply(&mut self, envelope: &Envelope<D>) -> sqlx::Result<(Option<Outcome>, Effects)> {
        let mut savepoint = self.transaction.begin().await?;
        let mut cx = Context {
            db: savepoint.acquire().await?,
            operation_id: envelope.operation_id,
            actor: envelope.actor,
            now: self.now,
            settings: &self.app.settings,
            providers: &self.app.providers,
            effects: Effects::default(),
        };
        match envelope.command.apply(&mut cx).await {
            Ok(progress) => {
                let effects = cx.effects;
                savepoint.commit().await?;
                let outcome = match progress {
                    Progress::Completed(output) => Some(Outcome::Applied(output)),
                    Progress::Deferred => None,
                };
                Ok((outcome, effects))
            }
            Err(Failure::Refused(refused)) => {
                savepoint.rollback().await?;
                Ok((Some(Outcome::Refused(refused)), Effects::default()))
            }
            Err(Failure::Broken(error)) => Err(error),
        }
    }

    /// Stores the outcomes and the events, and commits.
    async fn commit(mut self) -> anyhow::Result<Vec<Completed>> {
        let completed = &self.known.completed;
        let fresh = self
            .fresh
            .iter()
            .filter_map(|envelope| Some((*envelope, completed.get(&envelope.operation_id)?)));
        operations::insert(&mut self.transaction, fresh).await?;
        outbox::insert_all(&mut self.transaction, &self.events).await?;
        self.transaction.commit().await?;
        for envelope in &self.fresh {
            let completed = completed.get(&envelope.operation_id);
            Trail::of(envelope).log_outcome(completed.map(|completed| &completed.operation.outcome));
        }
        if self.scheduled {
            self.app.due.notify_one();
        }
        Ok(self.known.completed.into_values().collect())
    }
}
