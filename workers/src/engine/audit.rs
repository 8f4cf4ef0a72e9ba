//! What administrators and operators did, for whoever asks later.

use guildhall_common::contract::command::OperationId;
use sqlx::PgConnection;

/// Writes down a deed, in the transaction that does it.
///
/// # Errors
/// The database's.
pub(crate) async fn write(
    database: &mut PgConnection,
    account_id: Option<i64>,
    action: &str,
    details: serde_json::Value,
    operation_id: Option<OperationId>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (account_id, action, details, operation_id) values ($1, $2, $3, $4)",
        account_id,
        action,
        details,
        operation_id.map(|id| id.0),
    )
    .execute(database)
    .await?;
    Ok(())
}
