//! The database of one test.

use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, postgres::PgPoolOptions};

use super::{options::Options, wait::HANG_LIMIT};

/// Creates a database on the server of this URL; returns the URL of the database.
pub(super) async fn create_database(server_url: &str, name: &str) -> String {
    let mut connection = PgConnection::connect(server_url).await.unwrap();
    let statement = AssertSqlSafe(format!(r#"create database "{name}""#));
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    database_url(server_url, name)
}

/// Connections of the test to its database. They have no short time limits, unlike those of the services.
pub(super) fn connect(name: &str) -> PgPool {
    let url = database_url(&Options::default().database_url, name);
    PgPoolOptions::new().max_connections(5).acquire_timeout(HANG_LIMIT).connect_lazy(&url).unwrap()
}

fn database_url(server_url: &str, name: &str) -> String {
    let (server, _) = server_url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}
