//! What a job declares, and how it is stored.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{app::App, engine::jobs::lane::Lane};

/// Work that is due at a time. The file of the job in its domain implements it, and a line of `all_jobs.rs` adds the job to those that
/// the workers run.
pub(crate) trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name in the database. It never changes, because workers of other versions read it. A changed job has a new one.
    const NAME: &'static str;

    /// The jobs with which it shares a limit of running jobs.
    const LANE: Lane = Lane::Main;

    /// The time after which it runs again, if it is a recurring one. Such a job has no fields.
    const INTERVAL: Option<TimeDelta> = None;

    /// Runs one attempt. It may run again after it has succeeded: the worker may die before it stores the success.
    fn run(&self, app: &App) -> impl Future<Output = anyhow::Result<NextRun>> + Send;
}

/// A job as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stored<N, J> {
    pub(super) name: N,
    #[serde(flatten)]
    pub(super) job: J,
}

impl<'a, J: Job> Stored<&'static str, &'a J> {
    pub(super) fn of(job: &'a J) -> Self {
        Self { name: J::NAME, job }
    }
}

/// The result of an attempt at a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextRun {
    /// The job is done. A recurring job runs again after its interval.
    Done,
    /// The job continues after this time.
    After(TimeDelta),
}

/// The maximum number of rows that one statement of a job deletes. Postgres cancels a statement after seconds, and an attempt that
/// deletes nothing would be repeated without end.
pub(crate) const MAX_PURGED: i64 = 5000;

impl NextRun {
    /// The next run of a job that has deleted this number of rows.
    pub(crate) fn after_purge(purged: u64) -> Self {
        if purged == MAX_PURGED as u64 { Self::After(TimeDelta::zero()) } else { Self::Done }
    }
}
