//! The database of one test.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// Creates a database on the server of this URL; returns the URL of the database.
pub(super) async fn create_database(server_url: &str, name: &str) -> String {
    let mut connection = PgConnection::connect(server_url).await.unwrap();
    let statement = AssertSqlSafe(format!(r#"create database "{name}""#));
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    let (server, _) = server_url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}
