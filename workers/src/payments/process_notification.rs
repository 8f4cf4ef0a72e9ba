//! Processes a stored notification. It is a reason to ask the provider, and no proof of a receipt, unless it is signed.

use guildhall_common::{contract::payment::NotificationId, platform::db};
use serde::{Deserialize, Serialize};
use tracing::Instrument;

use crate::{
    app::App,
    engine::{
        failure,
        jobs::{Job, NextRun},
    },
    payments::{
        charge::{fetch_report, find_charge},
        log_span::{notification_span, set_payment},
        open_notification::OpenNotification,
        payment::{PaymentSelector, lock},
        signed_claims::{ClaimOutcome, record_signed_receipt, record_signed_refund},
        unconfirmed::find_unconfirmed,
    },
    providers::{NotificationClaim, ProviderError, TransferClaim},
};

/// Processes a notification. A claim that is not confirmed is tried again for a while, then the notification is parked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ProcessNotification {
    pub(crate) notification_id: NotificationId,
}

impl Job for ProcessNotification {
    const NAME: &'static str = "read_notification";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let notification_id = self.notification_id;
        process(app, notification_id).instrument(notification_span(notification_id)).await
    }
}

async fn process(app: &App, notification_id: NotificationId) -> anyhow::Result<NextRun> {
    let Some(notification) = OpenNotification::load(app, notification_id).await? else {
        return Ok(NextRun::Done);
    };
    let outcome = match process_claim(app, &notification).await {
        Ok(outcome) => outcome,
        Err(error) if is_caused_by_claim(&error) => ClaimOutcome::Unconfirmed(format!("{error:#}")),
        Err(error) => return Err(error),
    };
    match outcome {
        ClaimOutcome::Confirmed => notification.mark_settled(app).await.map(|()| NextRun::Done),
        ClaimOutcome::Unconfirmed(reason) => notification.retry_or_park(app, &reason).await,
        ClaimOutcome::Rejected(reason) => notification.park(app, &reason).await,
    }
}

/// Whether the notification causes the error: it cannot be recorded, or the provider refuses the query about it.
fn is_caused_by_claim(error: &anyhow::Error) -> bool {
    failure::is_permanent(error) || matches!(error.downcast_ref(), Some(ProviderError::Refused(_)))
}

async fn process_claim(app: &App, notification: &OpenNotification) -> anyhow::Result<ClaimOutcome> {
    let provider = notification.provider;
    match app.services.providers.read_notification(provider, &notification.body) {
        Err(reason) => Ok(ClaimOutcome::Rejected(reason)),
        Ok(NotificationClaim::Transfer(claim)) => confirm_transfer(app, notification, &claim).await,
        Ok(NotificationClaim::SignedReceipt { reference, receipt }) => {
            record_signed_receipt(app, provider, &reference, receipt).await
        }
        Ok(NotificationClaim::SignedRefund { end_to_end_id, refund }) => {
            record_signed_refund(app, provider, end_to_end_id, refund).await
        }
    }
}

/// Records the provider's report about the charge, then looks for the claimed transfer in the records.
async fn confirm_transfer(
    app: &App,
    notification: &OpenNotification,
    claim: &TransferClaim,
) -> anyhow::Result<ClaimOutcome> {
    let unknown = || Ok(ClaimOutcome::Unconfirmed(claim.unknown_reference.to_owned()));
    let selector = PaymentSelector::Reference(notification.provider, &claim.reference);
    let Some(charge) = find_charge(app, selector).await? else {
        return unknown();
    };
    set_payment(charge.payment_id);
    let report = fetch_report(app, &charge).await?;
    let mut transaction = db::begin(&app.database).await?;
    let Some(mut payment) = lock(&mut transaction, PaymentSelector::Id(charge.payment_id)).await? else {
        return unknown();
    };
    payment.record(&mut transaction, &report).await?;
    let (provider, end_to_end_id) = (notification.provider, &claim.end_to_end_id);
    let unconfirmed = find_unconfirmed(&mut transaction, provider, end_to_end_id, &claim.refunds).await?;
    transaction.commit().await?;
    Ok(unconfirmed.map_or(ClaimOutcome::Confirmed, |reason| ClaimOutcome::Unconfirmed(reason.to_owned())))
}
