//! Queries in the database of a site, and the checks of its ledger.

use sqlx::AssertSqlSafe;

use super::{service::ledger_errors, site::Site, wait::wait_until};

impl Site {
    /// The number that a query returns.
    pub(crate) async fn count(&self, query: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(&self.database).await.unwrap()
    }

    /// Runs statements that no endpoint offers.
    pub(crate) async fn execute(&self, statements: &str) {
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&self.database).await.unwrap();
    }

    /// Waits until a query returns a time that is this far ahead. A slow machine may read it up to a minute later.
    pub(crate) async fn wait_until_ahead(&self, time: &str, period: &str) {
        let query = format!(
            "select count(*) from ({time}) as written (time)
             where time - clock_timestamp() between interval '{period}' - interval '1 minute' and interval '{period}'"
        );
        wait_until(&format!("{period} ahead: {time}"), async || self.count(&query).await == 1).await;
    }

    /// The message of the error with which Postgres refuses a statement.
    pub(crate) async fn error(&self, statement: &str) -> String {
        let result = sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&self.database).await;
        let error = result.err().unwrap_or_else(|| panic!("Postgres did not refuse this: {statement}"));
        error.into_database_error().unwrap().message().to_owned()
    }

    /// Ends the connections of the workers to Postgres, and waits until its processes have ended.
    pub(crate) async fn end_connections_of_workers(&self) {
        self.execute(
            "select pg_terminate_backend(pid, 60000) from pg_stat_activity
             where application_name = 'guildhall-workers' and datname = current_database()",
        )
        .await;
    }

    /// Asserts that coins, receipts and refunds agree.
    pub(crate) async fn assert_ledger_is_consistent(&self) {
        let errors = ledger_errors(&self.database).await;
        assert!(errors.is_empty(), "{errors:?}");
    }
}
