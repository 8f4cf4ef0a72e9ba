//! Jobs: work that is due at a time. They are stored in Postgres and retried until they succeed.

mod job;
mod kinds;
mod lane;
pub(crate) mod runner;
mod schedule;

pub(crate) use self::{
    job::{Job, MAX_PURGED, NextRun},
    kinds::JobKinds,
    lane::Lane,
    schedule::{schedule, schedule_all, schedule_recurring},
};
