//! The savepoint of a command: a refusal rolls back the changes of this command, and the rest of its batch stays.

use sqlx::{Executor, PgConnection};

/// Begins the savepoint of the next command.
pub(super) async fn begin(database: &mut PgConnection) -> sqlx::Result<()> {
    database.execute("savepoint command").await.map(drop)
}

/// Keeps the changes.
pub(super) async fn release(database: &mut PgConnection) -> sqlx::Result<()> {
    database.execute("release savepoint command").await.map(drop)
}

/// Rolls the changes back.
pub(super) async fn roll_back(database: &mut PgConnection) -> sqlx::Result<()> {
    database.execute("rollback to savepoint command; release savepoint command").await.map(drop)
}

/// The number of rows that the transaction has written until now.
pub(super) async fn written_rows(database: &mut PgConnection) -> sqlx::Result<i64> {
    let query = "select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint from pg_stat_xact_user_tables";
    sqlx::query_scalar(query).fetch_one(database).await
}
