//! The records of a payment: receipts and refunds. A receipt never changes, and a refund only changes its state.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        payment::{PaymentId, ReceiptId},
        providers::Provider,
    },
    money::{Currency, Money},
};
use sqlx::PgConnection;

use crate::{
    payments::payment::LockedPayment,
    providers::{ChargeReport, RefundState, ReportedReceipt, ReportedRefund},
};

/// A recorded receipt.
pub(super) struct RecordedReceipt {
    pub(super) receipt_id: ReceiptId,
    pub(super) payment_id: PaymentId,
    pub(super) amount: Money,
    pub(super) received_at: DateTime<Utc>,
    /// Minor units without a refund, neither a completed nor a pending one.
    pub(super) remaining: i64,
}

impl LockedPayment {
    /// Records the receipts and refunds of a report, and makes the coins agree with them. Records that exist already stay,
    /// so neither repetition nor order of reports matters.
    pub(super) async fn record(
        &mut self,
        database: &mut PgConnection,
        report: &ChargeReport,
    ) -> sqlx::Result<()> {
        let mut changed = Vec::new();
        for receipt in &report.receipts {
            if self.record_transfer(database, receipt).await? {
                changed.push(receipt.end_to_end_id.clone());
            }
        }
        if !changed.is_empty() {
            mark_parked_as_processed(database, self.provider, &changed).await?;
        }
        self.update_coins(database).await?;
        Ok(())
    }

    /// Records a receipt and its refunds. Returns true if the records have changed.
    async fn record_transfer(
        &self,
        database: &mut PgConnection,
        receipt: &ReportedReceipt,
    ) -> sqlx::Result<bool> {
        let inserted = self.insert_receipt(database, receipt).await?;
        let receipt_id = match inserted {
            Some(receipt_id) => receipt_id,
            None => self.recorded_receipt(database, receipt).await?,
        };
        let mut is_changed = inserted.is_some();
        for refund in &receipt.refunds {
            is_changed |= record_refund(database, receipt_id, refund).await?;
        }
        Ok(is_changed)
    }

    /// Inserts a receipt. None if it is recorded already.
    async fn insert_receipt(
        &self,
        database: &mut PgConnection,
        receipt: &ReportedReceipt,
    ) -> sqlx::Result<Option<ReceiptId>> {
        let currency = receipt.amount.currency();
        sqlx::query_scalar!(
            r#"insert into receipts (payment_id, provider, end_to_end_id, currency, amount, received_at, held_because)
               values ($1, $2, $3, $4, $5, $6, $7) on conflict (provider, end_to_end_id) do nothing
               returning receipt_id as "receipt_id: ReceiptId""#,
            self.payment_id.get(),
            self.provider.name(),
            receipt.end_to_end_id,
            currency.code(),
            receipt.amount.minor(),
            receipt.received_at,
            self.reason_to_hold(receipt),
        )
        .fetch_optional(database)
        .await
    }

    /// Why an administrator must decide about the receipt. None if coins are credited for it.
    fn reason_to_hold(&self, receipt: &ReportedReceipt) -> Option<String> {
        let (currency, expected) = (receipt.amount.currency(), self.amount.currency());
        receipt
            .held_because
            .clone()
            .or_else(|| (currency != expected).then(|| format!("it is in {currency} and not in {expected}")))
            .or_else(|| self.is_account_deleted.then(|| "its account was deleted".to_owned()))
    }

    /// The id of a receipt that is recorded already.
    ///
    /// # Errors
    /// When it is recorded with another amount or for another payment.
    async fn recorded_receipt(
        &self,
        database: &mut PgConnection,
        receipt: &ReportedReceipt,
    ) -> sqlx::Result<ReceiptId> {
        find_receipt(database, self.provider, &receipt.end_to_end_id)
            .await?
            .filter(|recorded| self.agrees_with(recorded, receipt.amount))
            .map(|recorded| recorded.receipt_id)
            .ok_or_else(|| {
                let id = &receipt.end_to_end_id;
                sqlx::Error::InvalidArgument(format!(
                    "{id} is recorded with another amount, or for another payment"
                ))
            })
    }

    /// Whether a recorded receipt is of this payment and has this amount.
    pub(super) fn agrees_with(&self, recorded: &RecordedReceipt, amount: Money) -> bool {
        recorded.payment_id == self.payment_id && recorded.amount == amount
    }
}

pub(super) async fn find_receipt(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_id: &str,
) -> sqlx::Result<Option<RecordedReceipt>> {
    let row = sqlx::query!(
        r#"select receipt_id as "receipt_id: ReceiptId", payment_id as "payment_id: PaymentId",
                  currency as "currency: Currency", amount, received_at,
                  amount - (select coalesce(sum(refunds.amount), 0)::bigint from refunds
                            where refunds.receipt_id = receipts.receipt_id and state <> 'failed') as "remaining!"
           from receipts where provider = $1 and end_to_end_id = $2"#,
        provider.name(),
        end_to_end_id,
    )
    .fetch_optional(database)
    .await?;
    Ok(row.map(|row| RecordedReceipt {
        receipt_id: row.receipt_id,
        payment_id: row.payment_id,
        amount: Money::new(row.amount, row.currency),
        received_at: row.received_at,
        remaining: row.remaining,
    }))
}

/// Records a refund or its new state. Returns true if the records have changed. A failed refund becomes done if the provider reports
/// later that the money has arrived.
async fn record_refund(
    database: &mut PgConnection,
    receipt_id: ReceiptId,
    refund: &ReportedRefund,
) -> sqlx::Result<bool> {
    let recorded = sqlx::query!(
        "insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at, settled_at)
         values ($1, $2, $3, $4, $5, $6, coalesce($7, clock_timestamp()),
                 case when $5 <> 'pending' then clock_timestamp() end)
         on conflict (receipt_id, refund_id) do update
             set state = excluded.state, settled_at = excluded.settled_at
             where refunds.state = 'pending' and excluded.state <> 'pending'
                or refunds.state = 'failed' and excluded.state = 'done'",
        refund.refund_id,
        receipt_id.get(),
        if refund.is_reversal { "reversal" } else { "refund" },
        refund.amount.minor(),
        refund.state.name(),
        refund.reason,
        refund.requested_at,
    )
    .execute(database)
    .await?;
    let is_changed = recorded.rows_affected() > 0;
    if is_changed && refund.state == RefundState::Failed {
        count_failed_refund();
    }
    Ok(is_changed)
}

/// An administrator must decide about the money of a failed refund: its coins are credited again.
pub(super) fn count_failed_refund() {
    metrics::counter!("guildhall_refunds_failed_total").increment(1);
    tracing::warn!("refund failed");
}

/// Parked notifications about these transfers need no check by an administrator any more: the provider has confirmed the
/// transfers. The rows are locked in the order in which notifications are stored.
pub(super) async fn mark_parked_as_processed(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_ids: &[String],
) -> sqlx::Result<()> {
    sqlx::query!(
        r#"update payment_notifications set settled_at = clock_timestamp(), reason = null
           where notification_id in (
               select notification_id from payment_notifications
               where provider = $1 and dedupe_key = any($2) and state = 'parked'
               order by dedupe_key collate "C" for update)"#,
        provider.name(),
        end_to_end_ids,
    )
    .execute(database)
    .await?;
    Ok(())
}
