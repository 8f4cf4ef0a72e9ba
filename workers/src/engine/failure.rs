//! Failures of commands: which ones are caused by the command itself, and which by the database.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use guildhall_common::{contract::command::Failure, platform::db};
use tokio::time::error::Elapsed;

/// The sum of failure weights at which a command is dead-lettered.
pub(crate) const WEIGHT_LIMIT: u32 = 100;

/// The weight of a timeout. Most are caused by the database, but not a hundred in a row.
const TIMEOUT_WEIGHT: u32 = 1;

/// The weight of an error that further attempts do not change.
const PERMANENT_WEIGHT: u32 = WEIGHT_LIMIT / 5;

/// A rule or a consumer panicked, because of a mistake in its code.
#[derive(Debug, thiserror::Error)]
#[error("the task panicked")]
struct Panicked;

/// Turns a panic into an error. Otherwise the task would end, and nothing would process its messages until the worker restarts.
pub(crate) async fn catch_panic<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Panicked.into()))
}

/// The failure of a rule as an error, for an operator at the command line.
pub(crate) fn into_error(failure: Failure) -> anyhow::Error {
    match failure {
        Failure::Broken(error) => error.into(),
        Failure::Refused(refused) => anyhow::anyhow!("{}", refused.detail),
        Failure::Deferred => anyhow::anyhow!("the command is completed later"),
    }
}

/// Whether the data is wrong and not the database, so that further attempts do not help.
pub(crate) fn is_permanent(error: &anyhow::Error) -> bool {
    weight(error) == PERMANENT_WEIGHT
}

/// How much an error counts against its command, up to [`WEIGHT_LIMIT`]. Errors of the infrastructure count nothing.
pub(crate) fn weight(error: &anyhow::Error) -> u32 {
    if error.is::<Panicked>() {
        PERMANENT_WEIGHT
    } else if error.is::<Elapsed>() {
        TIMEOUT_WEIGHT
    } else {
        error.downcast_ref().map_or(0, database_weight)
    }
}

fn database_weight(error: &sqlx::Error) -> u32 {
    let code = error.as_database_error().and_then(|error| error.code());
    match code.as_deref() {
        // query_canceled: the statement timeout.
        Some("57014") => TIMEOUT_WEIGHT,
        // A table or a column is missing: this worker is newer than the schema, and the migration follows.
        Some(code) if code.starts_with("42") => 0,
        _ if db::is_permanent(error) => PERMANENT_WEIGHT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{catch_panic, is_permanent};

    #[tokio::test]
    async fn panic_of_a_rule_is_a_permanent_failure() {
        let error = catch_panic::<()>(async { panic!("on purpose") }).await.unwrap_err();
        assert!(is_permanent(&error));
    }

    #[tokio::test]
    async fn missing_connection_is_not_a_failure_of_the_command() {
        let error = catch_panic::<()>(async { Err(sqlx::Error::PoolTimedOut.into()) }).await.unwrap_err();
        assert!(!is_permanent(&error));
    }
}
