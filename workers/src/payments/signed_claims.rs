//! Signed receipts and refunds of the operator's own program. They are recorded if they agree with the records.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{payment::PaymentId, providers::Provider},
    platform::db,
};
use sqlx::PgConnection;

use crate::{
    app::App,
    payments::{
        log_span::set_payment,
        payment::{LockedPayment, PaymentSelector, lock},
        records::{RecordedReceipt, find_receipt},
    },
    providers::{ChargeReport, ReportedReceipt, ReportedRefund},
};

/// A static code never expires. Money that was received this long after the payment expired is held for review.
const LATEST_AFTER_EXPIRY: TimeDelta = TimeDelta::days(7);

/// A static code can be paid with any amount, and each full amount is worth the package. Receipts that exceed this multiple of
/// the payment's amount are held for review.
const MAX_MULTIPLE: i64 = 10;

/// The result of processing the claim of a notification.
pub(super) enum ClaimOutcome {
    /// The records have everything that the notification claims.
    Confirmed,
    /// Not confirmed so far. A retry may help.
    Unconfirmed(String),
    /// The claim contradicts the records or cannot be read. An administrator must check it.
    Rejected(String),
}

impl ClaimOutcome {
    fn unconfirmed(reason: &str) -> Self {
        Self::Unconfirmed(reason.to_owned())
    }

    fn rejected(reason: &str) -> Self {
        Self::Rejected(reason.to_owned())
    }
}

pub(super) async fn record_signed_receipt(
    app: &App,
    provider: Provider,
    reference: &str,
    mut receipt: ReportedReceipt,
) -> anyhow::Result<ClaimOutcome> {
    let mut transaction = db::begin(&app.database).await?;
    let selector = PaymentSelector::Reference(provider, reference);
    let Some(mut payment) = lock(&mut transaction, selector).await? else {
        return Ok(ClaimOutcome::unconfirmed("there is no payment of this reference"));
    };
    set_payment(payment.payment_id);
    if let Some(recorded) = find_receipt(&mut transaction, provider, &receipt.end_to_end_id).await?
        && !payment.agrees_with(&recorded, receipt.amount)
    {
        return Ok(ClaimOutcome::rejected(
            "this transfer is recorded with another amount, or for another payment",
        ));
    }
    receipt.held_because = reason_to_hold(&mut transaction, &payment, &receipt).await?;
    payment.record(&mut transaction, &ChargeReport { receipts: vec![receipt] }).await?;
    transaction.commit().await?;
    Ok(ClaimOutcome::Confirmed)
}

/// Why an administrator must decide about a signed receipt: a player could use the code of a cheap package again and again.
async fn reason_to_hold(
    database: &mut PgConnection,
    payment: &LockedPayment,
    receipt: &ReportedReceipt,
) -> sqlx::Result<Option<String>> {
    if receipt.received_at > payment.expires_at + LATEST_AFTER_EXPIRY {
        let days = LATEST_AFTER_EXPIRY.num_days();
        return Ok(Some(format!("it arrived more than {days} days after the payment expired")));
    }
    let others = sqlx::query_scalar!(
        r#"select coalesce(sum(amount), 0)::bigint as "others!" from receipts
           where payment_id = $1 and end_to_end_id <> $2 and held_because is null"#,
        payment.payment_id.get(),
        receipt.end_to_end_id,
    )
    .fetch_one(database)
    .await?;
    let limit = payment.amount.minor().saturating_mul(MAX_MULTIPLE);
    let is_above = others.saturating_add(receipt.amount.minor()) > limit;
    Ok(is_above.then(|| format!("with it, the payment has more than {MAX_MULTIPLE} times its amount")))
}

/// Records a refund for the payment of its receipt, whatever reference the notification names.
pub(super) async fn record_signed_refund(
    app: &App,
    provider: Provider,
    end_to_end_id: String,
    refund: ReportedRefund,
) -> anyhow::Result<ClaimOutcome> {
    let unknown = || Ok(ClaimOutcome::unconfirmed("there is no receipt of this end_to_end_id"));
    let mut transaction = db::begin(&app.database).await?;
    let Some(payment_id) = find_payment(&mut transaction, provider, &end_to_end_id).await? else {
        return unknown();
    };
    set_payment(payment_id);
    let Some(mut payment) = lock(&mut transaction, PaymentSelector::Id(payment_id)).await? else {
        return unknown();
    };
    let Some(receipt) = find_receipt(&mut transaction, provider, &end_to_end_id).await? else {
        return unknown();
    };
    if let Some(recorded) = find_refund_amount(&mut transaction, &receipt, &refund.refund_id).await? {
        return Ok(if recorded == refund.amount.minor() {
            ClaimOutcome::Confirmed
        } else {
            ClaimOutcome::rejected("this refund_id is recorded with another amount")
        });
    }
    if !fits(&receipt, &refund) {
        return Ok(ClaimOutcome::rejected(
            "it is more than what is left of the transfer, or in another currency",
        ));
    }
    let receipt = ReportedReceipt {
        end_to_end_id,
        amount: receipt.amount,
        received_at: receipt.received_at,
        held_because: None,
        refunds: vec![refund],
    };
    payment.record(&mut transaction, &ChargeReport { receipts: vec![receipt] }).await?;
    transaction.commit().await?;
    Ok(ClaimOutcome::Confirmed)
}

/// Whether the receipt has enough money left for the refund.
fn fits(receipt: &RecordedReceipt, refund: &ReportedRefund) -> bool {
    refund.amount.currency() == receipt.amount.currency()
        && (1..=receipt.remaining).contains(&refund.amount.minor())
}

/// The payment of a receipt. It never changes, so it is found before the payment is locked.
async fn find_payment(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_id: &str,
) -> sqlx::Result<Option<PaymentId>> {
    let payment_id = sqlx::query_scalar!(
        r#"select payment_id as "payment_id: PaymentId" from receipts where provider = $1 and end_to_end_id = $2"#,
        provider.name(),
        end_to_end_id,
    );
    payment_id.fetch_optional(database).await
}

/// The minor units of a recorded refund.
async fn find_refund_amount(
    database: &mut PgConnection,
    receipt: &RecordedReceipt,
    refund_id: &str,
) -> sqlx::Result<Option<i64>> {
    let amount = sqlx::query_scalar!(
        "select amount from refunds where receipt_id = $1 and refund_id = $2",
        receipt.receipt_id.get(),
        refund_id,
    );
    amount.fetch_optional(database).await
}
