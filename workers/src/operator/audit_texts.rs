//! Erases texts that people typed. The audit entries and the records of money stay, with ids and numbers.

use anyhow::{Context, ensure};
use guildhall_common::{contract::account::AccountName, platform::db};
use serde_json::json;
use sqlx::PgConnection;

use crate::{app::App, engine::audit::Entry};

/// Erases the texts of audit entries, and their copies in other tables. Returns the number of erased texts.
///
/// # Errors
/// An entry does not exist.
pub async fn erase_entries(app: &App, audit_ids: &[i64]) -> anyhow::Result<u64> {
    let mut transaction = db::begin(&app.database).await?;
    for audit_id in audit_ids {
        let found = sqlx::query!("select from audit_log where audit_id = $1", audit_id);
        let found = found.fetch_optional(&mut *transaction).await?;
        ensure!(found.is_some(), "there is no audit entry {audit_id}");
    }
    let erased = erase(&mut transaction, audit_ids).await?;
    let details = json!({ "audit_ids": audit_ids, "texts": erased });
    Entry::new("audit.erase_entries", details).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(erased)
}

/// Erases the texts of all audit entries by an account or about it. Returns the number of erased texts.
///
/// # Errors
/// The account does not exist.
pub async fn erase_account(app: &App, name: &AccountName) -> anyhow::Result<u64> {
    let mut transaction = db::begin(&app.database).await?;
    let account_id = sqlx::query_scalar!("select account_id from accounts where name_key = $1", name.key())
        .fetch_optional(&mut *transaction)
        .await?
        .with_context(|| format!("there is no account {}", &**name))?;
    let audit_ids = sqlx::query_scalar!(
        "select audit_id from audit_log
         where account_id = $1 or details @> jsonb_build_object('account_id', $1::bigint)
            or details @> jsonb_build_object('author_id', $1::bigint)
            or details @> jsonb_build_object('owner_id', $1::bigint)",
        account_id,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let erased = erase(&mut transaction, &audit_ids).await?;
    // Game servers give reasons too, and no audit entry has them.
    sqlx::query!(
        "update delivery_events set detail = null from deliveries join purchases using (purchase_id)
         where deliveries.delivery_id = delivery_events.delivery_id and account_id = $1 and detail is not null",
        account_id,
    )
    .execute(&mut *transaction)
    .await?;
    let details = json!({ "account_id": account_id, "texts": erased });
    Entry::new("audit.erase_account", details).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(erased)
}

async fn erase(database: &mut PgConnection, audit_ids: &[i64]) -> sqlx::Result<u64> {
    let erased = sqlx::query!(
        "update audit_texts set before = null, after = null, erased_at = clock_timestamp()
         where audit_id = any($1) and erased_at is null",
        audit_ids,
    )
    .execute(&mut *database)
    .await?;
    // The ledger, refunds and timelines have copies of the reasons.
    sqlx::query!(
        "update coin_transfers set reason = null from audit_log
         where audit_id = any($1) and coin_transfers.operation_id = audit_log.operation_id and reason is not null",
        audit_ids,
    )
    .execute(&mut *database)
    .await?;
    sqlx::query!(
        "update refunds set reason = '' from receipts, audit_log
         where audit_id = any($1) and action = 'payment.refund' and kind = 'refund' and reason <> ''
           and receipts.payment_id = (details ->> 'payment_id')::uuid and receipts.receipt_id = refunds.receipt_id",
        audit_ids,
    )
    .execute(&mut *database)
    .await?;
    sqlx::query!(
        "update delivery_events set detail = null from audit_log
         where audit_id = any($1) and action = 'delivery.resend' and what = 'resent' and detail is not null
           and delivery_id = (details ->> 'delivery_id')::uuid",
        audit_ids,
    )
    .execute(database)
    .await?;
    Ok(erased.rows_affected())
}
