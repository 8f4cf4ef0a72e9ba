//! Jobs: work that is due at a time. They are stored in Postgres and retried until they succeed.

mod dispatch;
pub mod job;
pub(crate) mod lane;
mod purge;
pub(crate) mod runner;
mod sample_health;
mod schedule;

pub use self::{job::Job, schedule::schedule};
pub(crate) use self::{
    job::NextRun,
    lane::Lane,
    schedule::{schedule_all, schedule_recurring},
};
