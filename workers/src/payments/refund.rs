//! Refunds a payment.

use guildhall_common::{
    contract::{
        command::Failure,
        payment::{PaymentRefunded, PaymentRefusal, PaymentStatus, ReceiptId, RefundPayment},
    },
    money::Money,
};
use uuid::Uuid;

use crate::{
    coins::ledger,
    engine::{audit::Entry, context::Context, rule::Rule},
    payments::{
        payment::{LockedPayment, PaymentSelector, lock},
        send_refund::SendRefund,
    },
};

impl Rule for RefundPayment {
    /// For administrators. The coins are removed now, and credited again if the refund fails. Coins that the player has spent
    /// become a debt.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PaymentRefunded, Failure> {
        let payment = lock(cx.db, PaymentSelector::Id(self.payment_id)).await?;
        let mut payment = payment.ok_or(PaymentRefusal::PaymentNotFound)?;
        if !cx.services.providers.get(payment.provider).is_ok_and(|provider| provider.can_refund()) {
            return Err(PaymentRefusal::RefundUnsupported.into());
        }
        let amount = insert_refunds(self, cx, &payment).await?;
        let coins = -payment.update_coins(cx.db).await?;
        let balance = ledger::balance(cx.db, payment.account_id).await?;
        let payment_id = payment.payment_id;
        let details = serde_json::json!({
            "payment_id": payment_id,
            "account_id": payment.account_id,
            "amount": amount,
            "coins": coins,
        });
        cx.audit(Entry::new("payment.refund", details).text("reason", &self.reason)).await?;
        Ok(PaymentRefunded { payment_id, status: PaymentStatus::RefundPending, amount, coins, balance })
    }
}

/// Divides the amount among the receipts, the newest first. Returns the sum of the refunds.
async fn insert_refunds(
    command: &RefundPayment,
    cx: &mut Context<'_>,
    payment: &LockedPayment,
) -> Result<Money, Failure> {
    let receipts = sqlx::query!(
        r#"select receipt_id as "receipt_id: ReceiptId",
                  amount - (select coalesce(sum(amount), 0) from refunds
                            where refunds.receipt_id = receipts.receipt_id and state <> 'failed')::bigint as "remaining!"
           from receipts where payment_id = $1 and currency = $2 order by received_at desc, receipt_id desc"#,
        payment.payment_id.get(),
        payment.amount.currency().code(),
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let total: i64 = receipts.iter().map(|receipt| receipt.remaining.max(0)).sum();
    let amount = command.amount.unwrap_or(Money::new(total, payment.amount.currency()));
    if total == 0 || amount.minor() <= 0 {
        return Err(PaymentRefusal::NothingToRefund.into());
    }
    if amount.currency() != payment.amount.currency() {
        return Err(PaymentRefusal::CurrencyMismatch.into());
    }
    if amount.minor() > total {
        return Err(PaymentRefusal::RefundTooLarge.into());
    }
    let mut rest = amount.minor();
    for receipt in receipts.iter().filter(|receipt| receipt.remaining > 0) {
        let part = rest.min(receipt.remaining);
        if part == 0 {
            break;
        }
        rest -= part;
        insert_refund(command, cx, receipt.receipt_id, part).await?;
    }
    Ok(amount)
}

async fn insert_refund(
    command: &RefundPayment,
    cx: &mut Context<'_>,
    receipt_id: ReceiptId,
    amount: i64,
) -> Result<(), Failure> {
    let refund_id = Uuid::now_v7().simple().to_string();
    sqlx::query!(
        "insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at)
             values ($1, $2, 'refund', $3, 'pending', $4, $5)",
        refund_id,
        receipt_id.get(),
        amount,
        &*command.reason,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(cx.schedule(&SendRefund { receipt_id, refund_id }, cx.now).await?)
}
