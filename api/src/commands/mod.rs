//! Commands: publishing them, and the outcomes of their operations.

mod find;
mod operations;
mod publish;

pub(crate) use self::{operations::Operations, publish::Commands};
