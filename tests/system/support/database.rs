//! The database of a site: creating it, counting in it, and the checks of its ledger.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{service::ledger_errors, site::Site};

/// Creates a database on the server of this URL; returns the URL of the database.
pub(super) async fn create_database(server_url: &str, name: &str) -> String {
    let mut connection = PgConnection::connect(server_url).await.unwrap();
    let statement = AssertSqlSafe(format!(r#"create database "{name}""#));
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    let (server, _) = server_url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

impl Site {
    /// The number that a query returns.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database).await.unwrap()
    }

    /// Runs statements that no endpoint offers.
    pub(crate) async fn execute(&self, statements: &str) {
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&self.database).await.unwrap();
    }

    /// Asserts that coins, receipts and refunds agree.
    pub(crate) async fn assert_ledger_is_consistent(&self) {
        let errors = ledger_errors(&self.database).await;
        assert!(errors.is_empty(), "{errors:?}");
    }
}
