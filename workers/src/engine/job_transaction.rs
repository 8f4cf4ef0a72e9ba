//! The transaction of a job that uses the context of rules: it sends mails, publishes events and invalidates cached responses.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{actor::Actor, cache_key::CacheKey, command::OperationId},
    platform::db,
};
use serde::{Deserialize, Serialize};
use sqlx::PgTransaction;
use uuid::Uuid;

use crate::{
    app::App,
    engine::{
        context::{Context, Effects},
        jobs::{self, Job, NextRun},
        outbox,
    },
};

/// The keys of one job. A job is an entry of a unique index, which Postgres limits to 2.7 KB.
const KEYS_PER_JOB: usize = 20;

/// Invalidates the cached responses that another job has made stale.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InvalidateCache {
    keys: Vec<CacheKey>,
}

impl Job for InvalidateCache {
    const NAME: &'static str = "invalidate_cache";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        app.cache.invalidate_or_suspend(&app.database, &self.keys).await?;
        Ok(NextRun::Done)
    }
}

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
        let operation_id = OperationId::from(Uuid::now_v7());
        Context::new(self.app, &mut self.transaction, operation_id, Actor::Anonymous, self.now)
    }

    /// Commits the changes with their effects: the outbox gets the events, and jobs invalidate the cache. So the effects follow even
    /// if the worker dies after the commit.
    pub(crate) async fn commit(mut self, effects: Effects) -> anyhow::Result<()> {
        for (topic, payload) in &effects.events {
            outbox::put(&mut self.transaction, topic, payload).await?;
        }
        let mut keys = effects.stale_keys;
        keys.sort_unstable();
        keys.dedup();
        let jobs: Vec<InvalidateCache> =
            keys.chunks(KEYS_PER_JOB).map(|keys| InvalidateCache { keys: keys.to_vec() }).collect();
        jobs::schedule_all(&mut self.transaction, &jobs, self.now).await?;
        self.transaction.commit().await?;
        self.app.due.send_replace(());
        Ok(())
    }
}
