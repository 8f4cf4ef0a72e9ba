//! The transaction of a job that uses the context of rules: it sends mails, publishes events and invalidates cached responses.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{actor::Actor, command::OperationId},
    platform::db,
};
use sqlx::PgTransaction;
use uuid::Uuid;

use crate::{
    app::App,
    engine::{effects::Effects, rule::Context},
};

/// A transaction of a job.
pub(crate) struct JobTransaction<'a> {
    app: &'a App,
    transaction: PgTransaction<'static>,
    now: DateTime<Utc>,
}

impl<'a> JobTransaction<'a> {
    pub(crate) async fn begin(app: &'a App) -> anyhow::Result<Self> {
        let mut transaction = db::begin(&app.database).await?;
        let now = sqlx::query_scalar!(r#"select now() as "now!""#).fetch_one(&mut *transaction).await?;
        Ok(Self { app, transaction, now })
    }

    /// The context of this transaction. No account has sent the command.
    pub(crate) fn context(&mut self) -> Context<'_> {
        Context {
            db: &mut self.transaction,
            operation_id: OperationId::from(Uuid::now_v7()),
            actor: Actor::Anonymous,
            now: self.now,
            settings: &self.app.settings,
            providers: &self.app.providers,
            mailer: self.app.mailer.as_deref(),
            effects: Effects::default(),
        }
    }

    /// Commits the changes with their effects.
    pub(crate) async fn commit(mut self, effects: Effects) -> anyhow::Result<()> {
        effects.store(&mut self.transaction, self.now).await?;
        self.transaction.commit().await?;
        // The invalidation of the cache is a job of its own.
        self.app.due.notify();
        Ok(())
    }
}
