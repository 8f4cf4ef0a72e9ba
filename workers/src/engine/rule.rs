//! The rule of a command, and the context that it works with.

use std::future::Future;

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    actor::{AccountId, Actor},
    cache_key::CacheKey,
    command::{Command, Domain, Failure, OperationId},
};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::PgConnection;

use crate::{
    config::Settings,
    engine::audit::Entry,
    jobs::{self, Job},
    providers::Providers,
};

/// The rules and the SQL of one command.
pub(crate) trait Rule: Command {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// The rule of a deferred command. It waits for another system, such as a bank, which is too slow for a transaction.
pub(crate) trait DeferredRule: Command {
    /// Starts the command and schedules the job that completes it.
    ///
    /// A redelivered message starts it again, so it must change nothing the second time. It cannot invalidate cache keys.
    fn start(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// The state of a command after its rule has run.
pub(crate) enum Progress {
    /// The command is completed with this output.
    Completed(Box<RawValue>),
    /// A job completes the command later.
    Deferred,
}

/// Runs the rule of any command of a domain. Each domain implements it by an exhaustive match.
pub(crate) trait Rules: Domain {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Progress, Failure>> + Send;
}

/// The context of a rule. All its writes are in one savepoint, which a refusal rolls back.
pub(crate) struct Context<'a> {
    pub(crate) db: &'a mut PgConnection,
    pub(crate) operation_id: OperationId,
    pub(crate) actor: Actor,
    /// The time of the transaction, by the clock of the database.
    pub(crate) now: DateTime<Utc>,
    pub(crate) settings: &'a Settings,
    pub(crate) providers: &'a Providers,
    pub(crate) effects: Effects,
}

/// The effects of a rule that follow the commit.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) stale_keys: Vec<CacheKey>,
    pub(crate) events: Vec<(&'static str, serde_json::Value)>,
    /// Whether the rule has scheduled jobs.
    pub(crate) scheduled: bool,
}

impl Context<'_> {
    /// Applies a command and writes its output as JSON.
    pub(crate) async fn run<C: Rule>(&mut self, command: &C) -> Result<Progress, Failure> {
        let output = command.apply(self).await?;
        let output =
            serde_json::value::to_raw_value(&output).map_err(|error| sqlx::Error::Encode(error.into()))?;
        Ok(Progress::Completed(output))
    }

    /// Starts a deferred command.
    pub(crate) async fn start<C: DeferredRule>(&mut self, command: &C) -> Result<Progress, Failure> {
        command.start(self).await?;
        Ok(Progress::Deferred)
    }

    /// The account that sent the command.
    ///
    /// # Errors
    /// No account sent it. The api rejects such a request, so the message is from another program.
    pub(crate) fn account_id(&self) -> Result<AccountId, Failure> {
        self.actor.account_id().ok_or_else(|| {
            sqlx::Error::InvalidArgument("only an account can send this command".to_owned()).into()
        })
    }

    /// Invalidates cached responses after the commit.
    pub(crate) fn invalidate(&mut self, keys: impl IntoIterator<Item = CacheKey>) {
        self.effects.stale_keys.extend(keys);
    }

    /// Publishes an event after the commit, through the outbox.
    pub(crate) fn publish(&mut self, topic: &'static str, payload: &impl Serialize) {
        self.effects.events.push((topic, serde_json::to_value(payload).unwrap_or_default()));
    }

    /// Schedules a job. If it is due, it starts soon after the commit.
    pub(crate) async fn schedule(&mut self, job: &Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
        self.effects.scheduled = true;
        jobs::schedule(self.db, job, due_at).await
    }

    /// Writes an audit entry about this command.
    pub(crate) async fn audit(&mut self, entry: Entry) -> sqlx::Result<()> {
        entry.of_command(self.actor.account_id(), self.operation_id).write(self.db).await
    }
}
