//! The schema of the database.

use std::time::Duration;

use sqlx::{
    ConnectOptions, Connection, PgConnection,
    migrate::{MigrateError, Migrator},
    postgres::PgConnectOptions,
};
use tokio::time::sleep;

use crate::engine::throughput::BATCH_FUNCTIONS;

use super::take_over;

/// The migrations, embedded in the binary.
static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// The longest wait of a migration for a table. All later statements on the table wait behind it.
const LOCK_TIMEOUT: &str = "2s";

/// The time until a migration tries again. The statements that waited run meanwhile.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// Runs the migrations that are missing, each in a transaction: one that fails has changed nothing. Then it creates the functions of
/// batches.
///
/// # Errors
/// The database is unavailable, or has migrations of another version.
pub async fn update_schema(options: &PgConnectOptions) -> anyhow::Result<()> {
    let mut database = options.clone().options([("lock_timeout", LOCK_TIMEOUT)]).connect().await?;
    take_over::take_over(&mut database, &MIGRATIONS).await?;
    while let Err(error) = MIGRATIONS.run(&mut database).await {
        if !has_waited_for_lock(&error) {
            return Err(error.into());
        }
        tracing::warn!("a migration waits for a lock, for example of a backup, and tries again in 5 s");
        sleep(RETRY_DELAY).await;
    }
    create_functions(&mut database).await?;
    Ok(database.close().await?)
}

/// Creates the functions of batches in their newest form. The lock lets two processes do it one after the other.
async fn create_functions(database: &mut PgConnection) -> sqlx::Result<()> {
    let mut transaction = Connection::begin(database).await?;
    sqlx::query("lock table _sqlx_migrations in share row exclusive mode").execute(&mut *transaction).await?;
    sqlx::raw_sql(BATCH_FUNCTIONS).execute(&mut *transaction).await?;
    transaction.commit().await
}

fn has_waited_for_lock(error: &MigrateError) -> bool {
    let (MigrateError::Execute(sqlx::Error::Database(error))
    | MigrateError::ExecuteMigration(sqlx::Error::Database(error), _)) = error
    else {
        return false;
    };
    error.code().as_deref() == Some("55P03") // lock_not_available
}
