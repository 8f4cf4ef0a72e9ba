//! The effects of a rule or a job that follow its commit.

use chrono::{DateTime, Utc};
use guildhall_common::contract::cache_key::CacheKey;
use serde::Serialize;
use sqlx::PgConnection;

use crate::{
    engine::outbox,
    jobs::{self, Job},
};

/// The effects that follow the commit.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) stale_keys: Vec<CacheKey>,
    pub(crate) events: Vec<(&'static str, serde_json::Value)>,
    /// Whether the rule has scheduled jobs.
    pub(crate) scheduled: bool,
}

impl Effects {
    /// Invalidates cached responses after the commit.
    pub(crate) fn invalidate(&mut self, keys: impl IntoIterator<Item = CacheKey>) {
        self.stale_keys.extend(keys);
    }

    /// Publishes an event after the commit, through the outbox.
    pub(crate) fn publish(&mut self, topic: &'static str, payload: &impl Serialize) {
        self.events.push((topic, serde_json::to_value(payload).unwrap_or_default()));
    }

    /// Stores the effects in the transaction of a job: the events in the outbox, and a job that invalidates the cache. So they
    /// follow even if the worker dies after the commit. The engine does this for rules.
    pub(crate) async fn store(mut self, database: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<()> {
        for (topic, payload) in &self.events {
            outbox::put(database, topic, payload).await?;
        }
        self.stale_keys.sort_unstable();
        self.stale_keys.dedup();
        if self.stale_keys.is_empty() {
            return Ok(());
        }
        jobs::schedule(database, &Job::InvalidateCache { keys: self.stale_keys }, now).await
    }
}
