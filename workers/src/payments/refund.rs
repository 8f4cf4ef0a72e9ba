//! Sending money back.

use guildhall_common::{
    contract::{
        command::Failure,
        notification::Provider,
        payment::{PaymentRefunded, PaymentRefusal, PaymentStatus, RefundPayment},
    },
    money::Money,
    platform::db,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    app::App,
    coins::ledger,
    engine::rule::{Context, Rule},
    jobs::{Job, Next},
    payments::books::{Payment, Which, lock},
    providers::{ProviderError, RefundState},
};

/// How soon to ask again how far a refund is.
const ASK_AGAIN: chrono::TimeDelta = chrono::TimeDelta::seconds(5);

/// The attempt at which a refusal counts: some 15 s after the first.
const REFUSED_FOR_GOOD: i32 = 5;

impl Rule for RefundPayment {
    /// For administrators. The coins are taken now and come back if the refund fails; what the player
    /// has spent of them is owed.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PaymentRefunded, Failure> {
        let payment =
            lock(cx.db, Which::Id(self.payment_id)).await?.ok_or(PaymentRefusal::PaymentNotFound)?;
        if !cx.providers.can_refund(payment.provider) {
            return Err(PaymentRefusal::RefundUnsupported.into());
        }
        let before = ledger::balance(cx.db, payment.account_id).await?.balance;
        let amount = spread(self, cx, &payment).await?;
        payment.balance(cx.db).await?;
        let balance = ledger::balance(cx.db, payment.account_id).await?.balance;
        let refunded = PaymentRefunded {
            payment_id: payment.payment_id,
            status: PaymentStatus::RefundPending,
            amount,
            coins: before - balance,
            balance,
        };
        let details = serde_json::json!({
            "payment_id": payment.payment_id,
            "amount": amount,
            "reason": self.reason,
            "coins": refunded.coins,
        });
        cx.audit("payment.refund", details).await?;
        Ok(refunded)
    }
}

/// Asks for what is to go back of each receipt, the newest first; answers the sum.
async fn spread(command: &RefundPayment, cx: &mut Context<'_>, payment: &Payment) -> Result<Money, Failure> {
    let receipts = sqlx::query!(
            r#"select receipt_id, amount - (select coalesce(sum(amount), 0) from refunds
                   where refunds.receipt_id = receipts.receipt_id and state <> 'failed')::bigint as "remaining!"
               from receipts where payment_id = $1 and currency = $2 order by received_at desc, receipt_id desc"#,
            payment.payment_id,
            payment.amount.currency().code(),
        )
        .fetch_all(&mut *cx.db)
        .await?;
    let all: i64 = receipts.iter().map(|receipt| receipt.remaining.max(0)).sum();
    let wanted = command.amount.unwrap_or(Money::new(all, payment.amount.currency()));
    if all == 0 || wanted.minor() <= 0 {
        return Err(PaymentRefusal::NothingToRefund.into());
    }
    if wanted.currency() != payment.amount.currency() {
        return Err(PaymentRefusal::CurrencyMismatch.into());
    }
    if wanted.minor() > all {
        return Err(PaymentRefusal::RefundTooLarge.into());
    }
    let mut left = wanted.minor();
    for receipt in receipts.iter().filter(|receipt| receipt.remaining > 0) {
        let amount = left.min(receipt.remaining);
        if amount == 0 {
            break;
        }
        left -= amount;
        ask(command, cx, receipt.receipt_id, amount).await?;
    }
    Ok(wanted)
}

async fn ask(
    command: &RefundPayment,
    cx: &mut Context<'_>,
    receipt_id: i64,
    amount: i64,
) -> Result<(), Failure> {
    let refund_id = Uuid::now_v7().simple().to_string();
    sqlx::query!(
        "insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at)
             values ($1, $2, 'refund', $3, 'pending', $4, $5)",
        refund_id,
        receipt_id,
        amount,
        &*command.reason,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(cx.schedule(&Job::SendRefund { receipt_id, refund_id }, cx.now).await?)
}

/// Until the provider says how it ended. What it refuses is refused for good when it does so again after a while: a bank may refuse
/// what it is just doing, and not yet know it.
pub(crate) async fn send_refund(
    site: &App,
    receipt_id: i64,
    refund_id: &str,
    attempt: i32,
) -> anyhow::Result<Next> {
    let refund = sqlx::query!(
        r#"select payment_id, provider, end_to_end_id, currency, refunds.amount, state
           from refunds join receipts using (receipt_id) where receipt_id = $1 and refund_id = $2"#,
        receipt_id,
        refund_id,
    )
    .fetch_one(&site.database)
    .await?;
    if refund.state != "pending" {
        return Ok(Next::Done);
    }
    let provider: Provider = serde_json::from_value(refund.provider.into())?;
    let amount = Money::new(refund.amount, refund.currency.parse()?);
    let sent = site.providers.refund(provider, &refund.end_to_end_id, refund_id, amount).await;
    let state = match sent {
        Ok(RefundState::Pending) => return Ok(Next::After(ASK_AGAIN)),
        Ok(state) => state,
        Err(error @ ProviderError::Away(_)) => return Err(error.into()),
        Err(refused) if attempt < REFUSED_FOR_GOOD => return Err(refused.into()),
        Err(refused) => {
            tracing::warn!(receipt_id, refund_id, why = %refused, "a refund failed");
            RefundState::Failed
        }
    };
    let mut transaction = db::begin(&site.database).await?;
    let payment =
        lock(&mut transaction, Which::Id(refund.payment_id)).await?.ok_or(sqlx::Error::RowNotFound)?;
    end(&mut transaction, receipt_id, refund_id, state).await?;
    payment.balance(&mut transaction).await?;
    transaction.commit().await?;
    Ok(Next::Done)
}

async fn end(
    database: &mut PgConnection,
    receipt_id: i64,
    refund_id: &str,
    state: RefundState,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update refunds set state = $3, settled_at = clock_timestamp()
         where receipt_id = $1 and refund_id = $2 and state = 'pending'",
        receipt_id,
        refund_id,
        state.name(),
    )
    .execute(database)
    .await?;
    Ok(())
}
