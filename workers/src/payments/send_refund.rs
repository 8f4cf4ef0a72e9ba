//! Sends a refund to the provider until its state is final.

use std::{slice, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    contract::{
        payment::{PaymentId, ReceiptId},
        providers::Provider,
    },
    money::{Currency, Money},
    platform::db,
};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{
    app::App,
    engine::jobs::{Job, NextRun},
    payments::{
        log_span::{refund_span, set_payment},
        payment::{PaymentSelector, lock},
        records::{count_failed_refund, mark_parked_as_processed},
    },
    providers::{ProviderError, ProviderResult, RefundOrder, RefundState},
};

/// How soon a pending refund is checked again, and how soon an unavailable provider is called again.
const RETRY_AFTER: TimeDelta = TimeDelta::seconds(5);

/// How soon a refused refund is sent again, after each refusal in a row. The refusal after the last delay is final: it comes
/// at least 15 s after the first one, by the database's clock.
const RESEND_AFTER: [TimeDelta; 4] =
    [TimeDelta::seconds(1), TimeDelta::seconds(2), TimeDelta::seconds(4), TimeDelta::seconds(8)];

/// How soon a refund of a receipt that the provider does not know is sent again.
const UNKNOWN_RETRY_AFTER: TimeDelta = TimeDelta::minutes(1);

/// How long after its request a refund of a receipt that the provider does not know is sent. The provider has reported the
/// receipt earlier, so an outage is more likely than a wrong record.
const UNKNOWN_PERIOD: TimeDelta = TimeDelta::days(1);

/// The time limit of one attempt. It is shorter than the time limit of a job, so a slow provider counts as unavailable.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(15);

/// A refund to send, and its payment.
struct PendingRefund {
    payment_id: PaymentId,
    provider: Provider,
    receipt_id: ReceiptId,
    requested_at: DateTime<Utc>,
    /// When it was loaded, by the database's clock.
    now: DateTime<Utc>,
    order: RefundOrder,
}

/// Sends a refund, or asks for its state if the provider has it already.
///
/// A bank may refuse a refund that it is just carrying out and does not list yet. So a refusal is final only if the
/// provider still refuses at least 15 s later. Only refusals in a row count, not attempts that ended otherwise.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SendRefund {
    pub(crate) receipt_id: ReceiptId,
    pub(crate) refund_id: String,
}

impl Job for SendRefund {
    const NAME: &'static str = "send_refund";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        send(app, self.receipt_id, &self.refund_id)
            .instrument(refund_span(self.receipt_id, &self.refund_id))
            .await
    }
}

async fn send(app: &App, receipt_id: ReceiptId, refund_id: &str) -> anyhow::Result<NextRun> {
    let Some(refund) = PendingRefund::load(app, receipt_id, refund_id).await? else {
        return Ok(NextRun::Done);
    };
    set_payment(refund.payment_id);
    match refund.send(app).await {
        Ok(RefundState::Pending) => refund.wait(app).await,
        Ok(state) => refund.complete(app, state).await,
        Err(ProviderError::Unavailable(reason)) => {
            tracing::warn!(reason, "refund not sent: provider unavailable");
            refund.wait(app).await
        }
        Err(ProviderError::NotFound) if refund.now < refund.requested_at + UNKNOWN_PERIOD => {
            tracing::warn!("refund not sent: provider does not know the receipt");
            refund.wait(app).await.map(|_| NextRun::After(UNKNOWN_RETRY_AFTER))
        }
        Err(error) => {
            let refusals = refund.count_refusal(app).await?;
            match resend_after(refusals) {
                Some(delay) => {
                    tracing::warn!(%error, refusals, "refund refused, to be sent again");
                    Ok(NextRun::After(delay))
                }
                None => {
                    tracing::warn!(%error, refusals, "refund refused for the last time");
                    refund.complete(app, RefundState::Failed).await
                }
            }
        }
    }
}

/// None if the last refusal is final.
fn resend_after(refusals: i32) -> Option<TimeDelta> {
    let refusals = usize::try_from(refusals).unwrap_or(1).max(1);
    RESEND_AFTER.get(refusals - 1).copied()
}

impl PendingRefund {
    /// None if the refund is not pending any more.
    async fn load(app: &App, receipt_id: ReceiptId, refund_id: &str) -> sqlx::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"select payment_id as "payment_id: PaymentId", provider as "provider: Provider", end_to_end_id,
                      currency as "currency: Currency", refunds.amount, requested_at, clock_timestamp() as "now!"
               from refunds join receipts using (receipt_id)
               where receipt_id = $1 and refund_id = $2 and state = 'pending'"#,
            receipt_id.get(),
            refund_id,
        )
        .fetch_optional(&app.database)
        .await?;
        Ok(row.map(|row| Self {
            payment_id: row.payment_id,
            provider: row.provider,
            receipt_id,
            requested_at: row.requested_at,
            now: row.now,
            order: RefundOrder {
                end_to_end_id: row.end_to_end_id,
                refund_id: refund_id.to_owned(),
                amount: Money::new(row.amount, row.currency),
            },
        }))
    }

    async fn send(&self, app: &App) -> ProviderResult<RefundState> {
        let provider = app.services.providers.get(self.provider)?;
        timeout(ATTEMPT_TIMEOUT, provider.refund(&self.order)).await.unwrap_or_else(|_| {
            Err(ProviderError::Unavailable(format!("no response within {} s", ATTEMPT_TIMEOUT.as_secs())))
        })
    }

    /// The provider has not refused it, so refusals count from the beginning.
    async fn wait(&self, app: &App) -> anyhow::Result<NextRun> {
        sqlx::query!(
            "update refunds set refusals = 0
             where receipt_id = $1 and refund_id = $2 and state = 'pending' and refusals > 0",
            self.receipt_id.get(),
            self.order.refund_id,
        )
        .execute(&app.database)
        .await?;
        Ok(NextRun::After(RETRY_AFTER))
    }

    /// Counts a refusal. Returns the number of refusals in a row.
    async fn count_refusal(&self, app: &App) -> sqlx::Result<i32> {
        let refusals = sqlx::query_scalar!(
            "update refunds set refusals = refusals + 1
             where receipt_id = $1 and refund_id = $2 and state = 'pending' returning refusals",
            self.receipt_id.get(),
            self.order.refund_id,
        );
        Ok(refusals.fetch_optional(&app.database).await?.unwrap_or(1))
    }

    /// Records the final state, and makes the coins agree with it.
    async fn complete(&self, app: &App, state: RefundState) -> anyhow::Result<NextRun> {
        let mut transaction = db::begin(&app.database).await?;
        let payment = lock(&mut transaction, PaymentSelector::Id(self.payment_id)).await?;
        let mut payment = payment.ok_or(sqlx::Error::RowNotFound)?;
        let completed = sqlx::query!(
            "update refunds set state = $3, settled_at = clock_timestamp()
             where receipt_id = $1 and refund_id = $2 and state = 'pending'",
            self.receipt_id.get(),
            self.order.refund_id,
            state.name(),
        )
        .execute(&mut *transaction)
        .await?;
        if state == RefundState::Done {
            let transfers = slice::from_ref(&self.order.end_to_end_id);
            mark_parked_as_processed(&mut transaction, self.provider, transfers).await?;
        }
        payment.update_coins(&mut transaction).await?;
        transaction.commit().await?;
        if state == RefundState::Failed && completed.rows_affected() > 0 {
            count_failed_refund();
        }
        tracing::info!(refund.state = state.name(), "refund completed");
        Ok(NextRun::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_final_15_seconds_after_the_first_one() {
        let delays: Vec<_> = (1..).map_while(resend_after).collect();
        assert_eq!(delays.iter().sum::<TimeDelta>(), TimeDelta::seconds(15));
        assert_eq!(resend_after(delays.len() as i32 + 1), None);
    }
}
