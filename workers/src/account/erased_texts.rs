//! Erases texts that people typed. The audit entries and the records of money stay, with ids and numbers.

use guildhall_common::contract::account::AccountId;
use sqlx::PgConnection;

/// Erases the texts of all audit entries by an account or about it. Returns the number of erased texts.
///
/// # Errors
/// Those of the database.
pub(crate) async fn erase_texts_of(database: &mut PgConnection, account_id: AccountId) -> sqlx::Result<u64> {
    let audit_ids = sqlx::query_scalar!(
        "select audit_id from audit_log
         where account_id = $1 or about_account_id = $1
            or (details ->> 'author_id')::bigint = $1 or (details ->> 'owner_id')::bigint = $1",
        account_id.get(),
    )
    .fetch_all(&mut *database)
    .await?;
    let erased = erase_texts(&mut *database, &audit_ids).await?;
    // Game servers give reasons too, and no audit entry has them.
    sqlx::query!(
        "update delivery_events set detail = null from deliveries join purchases using (purchase_id)
         where deliveries.delivery_id = delivery_events.delivery_id and account_id = $1 and detail is not null",
        account_id.get(),
    )
    .execute(&mut *database)
    .await?;
    sqlx::query!(
        "update deliveries set last_error = null from purchases
         where purchases.purchase_id = deliveries.purchase_id and account_id = $1 and last_error is not null",
        account_id.get(),
    )
    .execute(database)
    .await?;
    Ok(erased)
}

/// Erases the texts of audit entries, and their copies in other tables. Returns the number of erased texts.
///
/// # Errors
/// Those of the database.
pub(crate) async fn erase_texts(database: &mut PgConnection, audit_ids: &[i64]) -> sqlx::Result<u64> {
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
         where audit_id = any($1) and (action, what) in (('delivery.resend', 'resent'), ('delivery.discard', 'discarded'))
           and detail is not null and delivery_id = (details ->> 'delivery_id')::uuid",
        audit_ids,
    )
    .execute(&mut *database)
    .await?;
    // The entry about many deliveries names none of them.
    sqlx::query!(
        "update delivery_events set detail = null from audit_log
         where audit_id = any($1) and action = 'delivery.resend_many' and what = 'resent' and detail is not null
           and delivery_events.operation_id = audit_log.operation_id",
        audit_ids,
    )
    .execute(database)
    .await?;
    Ok(erased.rows_affected())
}
