//! Commands: publishing them, and the outcomes of their operations.

mod find;
mod operations;
mod pace;
mod publish;
mod send;

pub(crate) use self::{operations::Operations, pace::Pace, publish::Commands};
