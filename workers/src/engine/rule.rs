//! What a command's rule is, and what it has at hand.

use std::future::Future;

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{Actor, Command, Domain, Failure, OperationId},
};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::PgConnection;

use crate::{
    config::Settings,
    engine::audit,
    jobs::{self, Job},
    providers::Providers,
};

/// The rules and the SQL of one command.
pub(crate) trait Rule: Command {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// A command that somebody outside has a say in, such as a bank: too slow for a transaction. It is
/// begun here, and settled by the job that this schedules.
pub(crate) trait Begin: Command {
    /// Comes again when the message does: the second time changes nothing. Makes nothing stale.
    fn begin(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// How far a command has come, in the transaction that applied it.
pub(crate) enum Applied {
    /// All the way: its output.
    Settled(Box<RawValue>),
    Begun,
}

/// The exhaustive match over a domain's commands.
pub(crate) trait Rules: Domain {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Applied, Failure>> + Send;
}

/// What a rule works with. All it does happens in one savepoint: a refusal undoes it.
pub(crate) struct Context<'a> {
    pub(crate) db: &'a mut PgConnection,
    pub(crate) operation_id: OperationId,
    pub(crate) actor: Actor,
    pub(crate) now: DateTime<Utc>,
    pub(crate) settings: &'a Settings,
    pub(crate) providers: &'a Providers,
    pub(crate) effects: Effects,
}

/// What follows the commit.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) stale: Vec<CacheKey>,
    pub(crate) events: Vec<(&'static str, serde_json::Value)>,
    /// There are jobs to do.
    pub(crate) scheduled: bool,
}

impl Context<'_> {
    /// Applies a command and writes its output as JSON.
    pub(crate) async fn run<C: Rule>(&mut self, command: &C) -> Result<Applied, Failure> {
        let output = command.apply(self).await?;
        let output =
            serde_json::value::to_raw_value(&output).map_err(|error| sqlx::Error::Encode(error.into()))?;
        Ok(Applied::Settled(output))
    }

    /// Begins a command.
    pub(crate) async fn begin<C: Begin>(&mut self, command: &C) -> Result<Applied, Failure> {
        command.begin(self).await?;
        Ok(Applied::Begun)
    }

    /// The account that asks.
    ///
    /// # Errors
    /// When none does: the api lets no such command through, so the message is not its own.
    pub(crate) fn account_id(&self) -> Result<i64, Failure> {
        self.actor.account_id().ok_or_else(|| {
            sqlx::Error::InvalidArgument("the command needs an account to act".to_owned()).into()
        })
    }

    /// These cached answers are wrong from the commit on.
    pub(crate) fn stale(&mut self, keys: impl IntoIterator<Item = CacheKey>) {
        self.effects.stale.extend(keys);
    }

    /// Tells the world, through the outbox.
    pub(crate) fn event(&mut self, topic: &'static str, payload: &impl Serialize) {
        self.effects.events.push((topic, serde_json::to_value(payload).unwrap_or_default()));
    }

    /// Makes a job due; it begins soon after the commit.
    pub(crate) async fn schedule(&mut self, job: &Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
        self.effects.scheduled = true;
        jobs::schedule(self.db, job, due_at).await
    }

    /// Writes down what an administrator did.
    pub(crate) async fn audit(&mut self, action: &str, details: serde_json::Value) -> sqlx::Result<()> {
        audit::write(self.db, self.actor.account_id(), action, details, Some(self.operation_id)).await
    }
}
