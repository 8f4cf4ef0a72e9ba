//! Failures of commands: which ones are caused by the command itself, and which by the database.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::time::error::Elapsed;

/// The sum of failure weights at which a command is dead-lettered.
pub(crate) const WEIGHT_LIMIT: u32 = 100;

/// The weight of a timeout. Most are caused by the database, but not a hundred in a row.
const TIMEOUT_WEIGHT: u32 = 1;

/// The weight of an error that further attempts do not change.
const PERMANENT_WEIGHT: u32 = WEIGHT_LIMIT / 5;

/// A rule panicked, because of a mistake in its code.
#[derive(Debug, thiserror::Error)]
#[error("the rule panicked")]
struct Panicked;

/// Turns a panic into an error. Otherwise the worker would end, and meet the same message again after its restart.
pub(crate) async fn catch_panic<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Panicked.into()))
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
    match error {
        sqlx::Error::Database(error) => sqlstate_weight(error.code().as_deref().unwrap_or_default()),
        // `Protocol` is not among them: sqlx also returns it when a proxy closes the connection while the database is down.
        sqlx::Error::InvalidArgument(_)
        | sqlx::Error::Encode(_)
        | sqlx::Error::Decode(_)
        | sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::RowNotFound => PERMANENT_WEIGHT,
        _ => 0,
    }
}

/// By the class of the error: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn sqlstate_weight(code: &str) -> u32 {
    match code {
        // query_canceled: the statement timeout.
        "57014" => TIMEOUT_WEIGHT,
        // Wrong data, a constraint or trigger without a rule for it, or a limit of the program exceeded.
        _ if ["21", "22", "23", "54", "P0"].iter().any(|class| code.starts_with(class)) => PERMANENT_WEIGHT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{catch_panic, is_permanent, sqlstate_weight};

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

    #[test]
    fn only_errors_of_the_data_count_fully() {
        for (code, weight) in
            [("23505", 20), ("22P02", 20), ("57014", 1), ("57P01", 0), ("40001", 0), ("", 0)]
        {
            assert_eq!(sqlstate_weight(code), weight, "{code}");
        }
    }
}
