//! The context that the rule of a command works with.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        actor::{AccountId, Actor, ServiceTokenId},
        cache_key::CacheKey,
        command::{Failure, OperationId},
    },
    platform::bus::Publisher,
};
use serde::Serialize;
use sqlx::PgConnection;

use crate::{
    app::{App, ExternalServices},
    config::Settings,
    engine::{
        audit::Entry,
        jobs::{self, Job},
    },
};

/// The context of a rule. A refusal rolls back all its changes.
pub(crate) struct Context<'a> {
    pub(crate) db: &'a mut PgConnection,
    pub(crate) operation_id: OperationId,
    pub(crate) actor: Actor,
    /// The time of the transaction, by the clock of the database.
    pub(crate) now: DateTime<Utc>,
    pub(crate) publisher: &'a Publisher,
    pub(crate) settings: &'a Settings,
    pub(crate) services: &'a ExternalServices,
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

impl<'a> Context<'a> {
    pub(super) fn new(
        app: &'a App,
        db: &'a mut PgConnection,
        operation_id: OperationId,
        actor: Actor,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            db,
            operation_id,
            actor,
            now,
            publisher: &app.publisher,
            settings: &app.settings,
            services: &app.services,
            effects: Effects::default(),
        }
    }

    /// The account that sent the command.
    ///
    /// # Errors
    /// No account sent it. The api rejects such a request, so the message is from another program.
    pub(crate) fn account_id(&self) -> Result<AccountId, Failure> {
        Ok(account_of(self.actor)?)
    }

    /// The service token of the game server that sent the command.
    ///
    /// # Errors
    /// No game server sent it. The api rejects such a request, so the message is from another program.
    pub(crate) fn service_token_id(&self) -> Result<ServiceTokenId, Failure> {
        let error = || sqlx::Error::InvalidArgument("only a game server can send this command".to_owned());
        Ok(self.actor.service_token_id().ok_or_else(error)?)
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
    pub(crate) async fn schedule(&mut self, job: &impl Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
        self.effects.scheduled = true;
        jobs::schedule(self.db, job, due_at).await
    }

    /// Writes an audit entry about this command.
    pub(crate) async fn audit(&mut self, entry: Entry) -> sqlx::Result<()> {
        entry.of_command(self.actor.account_id(), self.operation_id).write(self.db).await
    }
}

/// The account that sent a command.
///
/// # Errors
/// No account sent it. The api rejects such a request, so the message is from another program.
pub(crate) fn account_of(actor: Actor) -> sqlx::Result<AccountId> {
    let error = || sqlx::Error::InvalidArgument("only an account can send this command".to_owned());
    actor.account_id().ok_or_else(error)
}
