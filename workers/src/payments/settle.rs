//! Comparing our books of a payment with the provider's: the only way by which money gets in.

use chrono::TimeDelta;
use guildhall_common::{contract::payment::PaymentStatus, platform::db};
use uuid::Uuid;

use crate::{
    app::App,
    jobs::Next,
    payments::books::{Payment, Which, lock},
    providers::{ProviderError, Seen},
};

/// How often a charge that can be paid is looked at, should no notification come.
const LOOK_EVERY: TimeDelta = TimeDelta::minutes(5);

/// How long after its time was over a charge is still asked for, when the provider does not answer.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::days(1);

/// Asks the provider and writes down what it has seen; answers the payment as it was before.
pub(super) async fn compare(site: &App, which: Which<'_>) -> anyhow::Result<Option<Payment>> {
    let mut transaction = db::begin(&site.database).await?;
    let Some(payment) = lock(&mut transaction, which).await? else {
        return Ok(None);
    };
    // Nobody waits for a bank with a lock in hand.
    transaction.rollback().await?;
    let seen = match site.providers.fetch(payment.provider, &payment.reference).await {
        Ok(seen) => seen,
        // It was never made known there, or nobody can be asked.
        Err(ProviderError::NotFound | ProviderError::Unsupported) => Seen::default(),
        Err(error) => return Err(error.into()),
    };
    record(site, payment.payment_id, &seen).await
}

/// Writes down what was seen, in one transaction: receipts, refunds, coins, event.
pub(super) async fn record(site: &App, payment_id: Uuid, seen: &Seen) -> anyhow::Result<Option<Payment>> {
    let mut transaction = db::begin(&site.database).await?;
    let Some(payment) = lock(&mut transaction, Which::Id(payment_id)).await? else {
        return Ok(None);
    };
    payment.record(&mut transaction, seen).await?;
    transaction.commit().await?;
    Ok(Some(payment))
}

/// Looks at a charge from time to time, until its time is over (and tells of that once), and at money on its way
/// back until it has arrived.
pub(crate) async fn watch(site: &App, payment_id: Uuid) -> anyhow::Result<Next> {
    let compared = compare(site, Which::Id(payment_id)).await;
    let mut transaction = db::begin(&site.database).await?;
    let Some(payment) = lock(&mut transaction, Which::Id(payment_id)).await? else {
        return Ok(Next::Done);
    };
    if let Err(error) = compared
        && payment.now < payment.expires_at + GIVEN_UP_AFTER
    {
        return Err(error);
    }
    match payment.status {
        PaymentStatus::Created | PaymentStatus::Pending => {
            let left = payment.expires_at - payment.now;
            Ok(Next::After(left.clamp(TimeDelta::seconds(1), LOOK_EVERY)))
        }
        PaymentStatus::RefundPending => Ok(Next::After(LOOK_EVERY)),
        PaymentStatus::Expired => {
            payment.announce(&mut transaction, 0).await?;
            transaction.commit().await?;
            Ok(Next::Done)
        }
        _ => Ok(Next::Done),
    }
}
