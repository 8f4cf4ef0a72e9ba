//! What a command's rule is, and what it has at hand.

use std::future::Future;

use chrono::{DateTime, Utc};
use guildhall_common::{
    cache::Key,
    command::{Actor, Command, Domain, Failure},
};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::PgConnection;

use crate::config::Settings;

/// The rules and the SQL of one command.
pub(crate) trait Rule: Command {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// The exhaustive match over a domain's commands.
pub(crate) trait Rules: Domain {
    fn apply(&self, cx: &mut Context<'_>) -> impl Future<Output = Result<Box<RawValue>, Failure>> + Send;
}

/// What a rule works with. All it does happens in one savepoint: a refusal undoes it.
pub(crate) struct Context<'a> {
    pub(crate) db: &'a mut PgConnection,
    pub(crate) actor: Actor,
    pub(crate) now: DateTime<Utc>,
    pub(crate) settings: &'a Settings,
    pub(crate) effects: Effects,
}

/// What follows the commit.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) stale: Vec<Key>,
    pub(crate) events: Vec<(&'static str, serde_json::Value)>,
}

impl Context<'_> {
    /// Applies a command and writes its output as JSON.
    pub(crate) async fn run<C: Rule>(&mut self, command: &C) -> Result<Box<RawValue>, Failure> {
        let output = command.apply(self).await?;
        serde_json::value::to_raw_value(&output).map_err(|error| sqlx::Error::Encode(error.into()).into())
    }

    /// The account that asks.
    ///
    /// # Errors
    /// When none does: the api lets no such command through, so the message is not its own.
    pub(crate) fn account_id(&self) -> Result<i64, Failure> {
        self.actor
            .account_id()
            .ok_or_else(|| sqlx::Error::Protocol("the command needs an account to act".to_owned()).into())
    }

    /// These cached answers are wrong from the commit on.
    pub(crate) fn stale(&mut self, keys: impl IntoIterator<Item = Key>) {
        self.effects.stale.extend(keys);
    }

    /// Tells the world, through the outbox.
    pub(crate) fn event(&mut self, topic: &'static str, payload: &impl Serialize) {
        self.effects.events.push((topic, serde_json::to_value(payload).unwrap_or_default()));
    }
}
