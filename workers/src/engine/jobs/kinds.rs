//! The kinds of jobs that the workers run.

use std::collections::HashMap;

use anyhow::Context;
use chrono::TimeDelta;
use futures_util::{FutureExt, future::BoxFuture};
use serde_json::Value;

use crate::{
    app::App,
    engine::jobs::job::{Job, NextRun, Stored},
};

/// The kinds of jobs, by their names.
#[derive(Default)]
pub(crate) struct JobKinds(HashMap<&'static str, JobKind>);

/// One kind of jobs.
struct JobKind {
    interval: Option<TimeDelta>,
    parse: fn(Value) -> serde_json::Result<Box<dyn AnyJob>>,
}

impl JobKinds {
    #[must_use]
    pub(crate) fn with<J: Job>(mut self) -> Self {
        self.0.insert(J::NAME, JobKind { interval: J::INTERVAL, parse: parse::<J> });
        self
    }

    /// Parses a stored job.
    ///
    /// # Errors
    /// Its kind is unknown, or its fields are. It may be of a newer version.
    pub(crate) fn parse(&self, job: Value) -> anyhow::Result<Box<dyn AnyJob>> {
        let kind = job["name"].as_str().and_then(|name| self.0.get(name)).context("its name is unknown")?;
        Ok((kind.parse)(job)?)
    }

    /// The names of the recurring jobs.
    pub(crate) fn recurring(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|(_, kind)| kind.interval.is_some()).map(|(name, _)| *name)
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

/// A job whose kind is not known.
pub(crate) trait AnyJob: Send + Sync {
    fn name(&self) -> &'static str;

    /// As it is stored.
    fn stored(&self) -> Value;

    /// As [`Job::run`].
    fn run<'a>(&'a self, app: &'a App) -> BoxFuture<'a, anyhow::Result<NextRun>>;

    /// When it runs next after it is done.
    fn next_run(&self) -> NextRun;
}

impl<J: Job> AnyJob for J {
    fn name(&self) -> &'static str {
        J::NAME
    }

    fn stored(&self) -> Value {
        serde_json::to_value(Stored::of(self)).unwrap_or_default()
    }

    fn run<'a>(&'a self, app: &'a App) -> BoxFuture<'a, anyhow::Result<NextRun>> {
        Job::run(self, app).boxed()
    }

    fn next_run(&self) -> NextRun {
        J::INTERVAL.map_or(NextRun::Done, NextRun::After)
    }
}

fn parse<J: Job>(job: Value) -> serde_json::Result<Box<dyn AnyJob>> {
    let Stored::<String, J> { job, .. } = serde_json::from_value(job)?;
    Ok(Box::new(job))
}
