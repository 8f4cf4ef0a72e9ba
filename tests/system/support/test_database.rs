//! The database of one test.

use guildhall_workers::update_schema;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, postgres::PgPoolOptions};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::{options::Options, wait::HANG_LIMIT};

/// Creates a database on the server of this URL; returns the URL of the database. It is a copy of one that has all migrations, because
/// running them takes longer.
pub(super) async fn create_database(server_url: &str, name: &str) -> String {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    let template = TEMPLATE
        .get_or_init(async || {
            let template = format!("template-{}", Uuid::now_v7().simple());
            let url = create_copy(server_url, &template, "template1").await;
            // A database cannot be copied while it has connections, so this closes its own.
            update_schema(&url.parse().unwrap()).await.unwrap();
            template
        })
        .await;
    create_copy(server_url, name, template).await
}

async fn create_copy(server_url: &str, name: &str, template: &str) -> String {
    let mut connection = PgConnection::connect(server_url).await.unwrap();
    let statement = AssertSqlSafe(format!(r#"create database "{name}" template "{template}""#));
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
