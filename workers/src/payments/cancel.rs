//! Not asking for money any more.

use guildhall_common::contract::{
    command::Failure,
    payment::{CancelPayment, PaymentCancelled, PaymentRefusal, PaymentStatus},
};
use uuid::Uuid;

use crate::{
    app::App,
    engine::rule::{Context, Rule},
    jobs::{Job, Next},
    payments::{
        books::{Which, lock},
        settle::compare,
    },
    providers::ProviderError,
};

impl Rule for CancelPayment {
    /// In our books at once; the provider is told afterwards. Should money still come, it counts.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PaymentCancelled, Failure> {
        let (account_id, payment_id) = (cx.account_id()?, self.payment_id);
        let payment = lock(cx.db, Which::Id(payment_id)).await?;
        let payment = payment
            .filter(|payment| payment.account_id == account_id)
            .ok_or(PaymentRefusal::PaymentNotFound)?;
        let open = [
            PaymentStatus::Created,
            PaymentStatus::Pending,
            PaymentStatus::Expired,
            PaymentStatus::Cancelled,
        ];
        if !open.contains(&payment.status) {
            return Err(PaymentRefusal::NotCancellable.into());
        }
        sqlx::query!(
            "update payments set cancelled_at = $2 where payment_id = $1 and cancelled_at is null",
            payment_id,
            cx.now,
        )
        .execute(&mut *cx.db)
        .await?;
        payment.balance(cx.db).await?;
        cx.schedule(&Job::CancelCharge { payment_id }, cx.now).await?;
        Ok(PaymentCancelled { payment_id, status: PaymentStatus::Cancelled })
    }
}

/// Tells the provider. If somebody was faster and paid, that is what is found.
pub(crate) async fn tell_cancelled(site: &App, payment_id: Uuid) -> anyhow::Result<Next> {
    let Some(payment) = compare(site, Which::Id(payment_id)).await? else {
        return Ok(Next::Done);
    };
    match site.providers.cancel(payment.provider, &payment.reference).await {
        Err(error @ ProviderError::Away(_)) => Err(error.into()),
        Err(ProviderError::Refused(_)) => {
            compare(site, Which::Id(payment_id)).await?;
            Ok(Next::Done)
        }
        Ok(()) | Err(ProviderError::NotFound | ProviderError::Unsupported) => Ok(Next::Done),
    }
}
