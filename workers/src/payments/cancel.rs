//! Cancels a payment.

use chrono::TimeDelta;
use guildhall_common::contract::{
    actor::AccountId,
    command::Failure,
    payment::{CancelPayment, PaymentCancelled, PaymentId, PaymentRefusal, PaymentStatus},
};
use serde::{Deserialize, Serialize};
use tracing::Instrument;

use crate::{
    app::App,
    engine::{
        context::Context,
        jobs::{Job, NextRun},
        rule::Rule,
    },
    payments::{
        charge::{find_charge, update_payment},
        log_span::payment_span,
        payment::{LockedPayment, PaymentSelector, load, lock},
    },
    providers::ProviderError,
};

/// The statuses of a payment without receipts that can be cancelled.
const CANCELLABLE: [PaymentStatus; 4] =
    [PaymentStatus::Created, PaymentStatus::Pending, PaymentStatus::Expired, PaymentStatus::Cancelled];

/// How soon a registered charge that the provider does not know is cancelled again.
const UNKNOWN_RETRY_AFTER: TimeDelta = TimeDelta::minutes(1);

impl Rule for CancelPayment {
    /// The payment is cancelled here first; a job then cancels the charge at the provider. Money that is received all the same
    /// counts.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PaymentCancelled, Failure> {
        let (account_id, payment_id) = (cx.account_id()?, self.payment_id);
        let payment = lock(cx.db, PaymentSelector::Id(payment_id)).await?;
        let mut payment = payment
            .filter(|payment| payment.account_id == account_id)
            .ok_or(PaymentRefusal::PaymentNotFound)?;
        if !CANCELLABLE.contains(&payment.status) {
            return Err(PaymentRefusal::NotCancellable.into());
        }
        mark_cancelled(cx, &mut payment).await?;
        Ok(PaymentCancelled { payment_id, status: PaymentStatus::Cancelled })
    }
}

async fn mark_cancelled(cx: &mut Context<'_>, payment: &mut LockedPayment) -> sqlx::Result<()> {
    let payment_id = payment.payment_id;
    sqlx::query!(
        "update payments set cancelled_at = $2 where payment_id = $1 and cancelled_at is null",
        payment_id.get(),
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    payment.update_coins(cx.db).await?;
    cx.schedule(&CancelCharge { payment_id }, cx.now).await
}

/// Cancels the payments of an account that can still be paid. They are locked in the order of their ids.
pub(crate) async fn cancel_open_payments(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    for payment_id in open_payments(cx, account_id).await? {
        if let Some(mut payment) = lock(cx.db, PaymentSelector::Id(payment_id)).await?
            && matches!(payment.status, PaymentStatus::Created | PaymentStatus::Pending)
        {
            mark_cancelled(cx, &mut payment).await?;
        }
    }
    Ok(())
}

/// The payments of an account that can still be paid.
pub(crate) async fn open_payments(
    cx: &mut Context<'_>,
    account_id: AccountId,
) -> sqlx::Result<Vec<PaymentId>> {
    sqlx::query_scalar!(
        r#"select payment_id as "payment_id!: PaymentId" from payment_states
           where account_id = $1 and kept_state in ('created', 'pending') and expires_at > clock_timestamp()
           order by payment_id"#,
        account_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Cancels the charge at the provider. A receipt from before the cancellation is recorded.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CancelCharge {
    pub(crate) payment_id: PaymentId,
}

impl Job for CancelCharge {
    const NAME: &'static str = "cancel_charge";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let payment_id = self.payment_id;
        cancel(app, payment_id).instrument(payment_span(payment_id)).await
    }
}

async fn cancel(app: &App, payment_id: PaymentId) -> anyhow::Result<NextRun> {
    let Some(charge) = find_charge(app, PaymentSelector::Id(payment_id)).await? else {
        return Ok(NextRun::Done);
    };
    update_payment(app, &charge).await?;
    match app.services.providers.get(charge.provider)?.cancel_charge(&charge.reference).await {
        Err(error @ ProviderError::Unavailable(_)) => return Err(error.into()),
        // The player may have paid in the meantime.
        Err(ProviderError::Refused(_)) => update_payment(app, &charge).await?,
        Err(ProviderError::NotFound) if is_payable(app, payment_id).await? => {
            tracing::warn!("charge not cancelled: provider does not know it");
            return Ok(NextRun::After(UNKNOWN_RETRY_AFTER));
        }
        Ok(()) | Err(ProviderError::NotFound | ProviderError::Unsupported) => {}
    }
    Ok(NextRun::Done)
}

/// Whether the charge was registered and has not expired. Then a provider that does not know it has an outage.
async fn is_payable(app: &App, payment_id: PaymentId) -> sqlx::Result<bool> {
    let payment = load(&mut *app.database.acquire().await?, payment_id).await?;
    Ok(payment.is_some_and(|payment| payment.payload.is_some() && payment.now < payment.expires_at))
}
