//! The audit log: what administrators and operators did.

use guildhall_common::contract::{actor::AccountId, command::OperationId};
use sqlx::PgConnection;

/// Writes an audit entry, in the transaction of the action. No account means an operator at the command line.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write(
    database: &mut PgConnection,
    account_id: Option<AccountId>,
    action: &str,
    details: serde_json::Value,
    operation_id: Option<OperationId>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (account_id, action, details, operation_id) values ($1, $2, $3, $4)",
        account_id as _,
        action,
        details,
        operation_id.map(OperationId::get),
    )
    .execute(database)
    .await?;
    Ok(())
}
