//! Registers a charge with its provider, and completes the operation that created the payment.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        command::{Outcome, Refusal},
        payment::{PaymentCreated, PaymentId, PaymentRefusal, PaymentStatus},
    },
    payment_codes::Qr,
    platform::db,
};
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use sqlx::PgConnection;
use tracing::Instrument;

use crate::{
    app::App,
    engine::{
        deferred,
        jobs::{Job, Lane, NextRun, schedule},
    },
    payments::{
        cancel::CancelCharge,
        log_span::payment_span,
        payment::{LockedPayment, Payment, PaymentSelector, load, lock},
    },
    providers::{Charge, ProviderError},
};

/// The result of the registration: the payload of the QR code, or the refusal with its reason.
type Registration = Result<String, (PaymentRefusal, String)>;

/// Registers a charge. The job is repeated until the provider accepts or refuses the charge, or the payment expires.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RegisterCharge {
    pub(crate) payment_id: PaymentId,
}

impl Job for RegisterCharge {
    const NAME: &'static str = "register_charge";
    const LANE: Lane = Lane::Awaited;

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let payment_id = self.payment_id;
        register(app, payment_id).instrument(payment_span(payment_id)).await
    }
}

async fn register(app: &App, payment_id: PaymentId) -> anyhow::Result<NextRun> {
    // Without a lock: nothing is locked while the provider responds.
    let payment = load(&mut *app.database.acquire().await?, payment_id).await?;
    let Some(payment) = payment else {
        return Ok(NextRun::Done);
    };
    let registration = register_with_provider(app, &payment).await?;
    let mut transaction = db::begin(&app.database).await?;
    let payment = lock(&mut transaction, PaymentSelector::Id(payment_id)).await?;
    let payment = payment.ok_or(sqlx::Error::RowNotFound)?;
    let outcome = match registration {
        Ok(payload) => record_accepted(&mut transaction, payment, payload).await?,
        Err((refusal, reason)) => record_refused(&mut transaction, payment, refusal, &reason).await?,
    };
    let is_registered = matches!(outcome, Outcome::Applied(_));
    let completion = deferred::complete(&mut transaction, payment_id.into(), outcome, &[]).await?;
    transaction.commit().await?;
    if is_registered {
        tracing::info!("charge registered");
    }
    if let Some(completion) = completion {
        completion.report(app);
    }
    Ok(NextRun::Done)
}

async fn register_with_provider(app: &App, payment: &Payment) -> anyhow::Result<Registration> {
    match (&payment.payload, payment.status) {
        (Some(payload), _) => return Ok(Ok(payload.clone())),
        (None, PaymentStatus::Cancelled) => {
            return Ok(Err((PaymentRefusal::CancelledMeanwhile, String::new())));
        }
        (None, PaymentStatus::Expired | PaymentStatus::Failed) => {
            return Ok(Err((
                PaymentRefusal::ProviderUnavailable,
                "it could not be reached in time".to_owned(),
            )));
        }
        // A paid charge is registered as well: the provider has it, and only the response was lost.
        (None, _) => {}
    }
    let charge = Charge {
        scheme: payment.scheme,
        reference: payment.reference.clone(),
        amount: payment.amount,
        lifetime: (payment.expires_at - payment.now).max(TimeDelta::seconds(1)),
    };
    match app.services.providers.get(payment.provider)?.register_charge(&charge).await {
        Ok(payload) => Ok(Ok(payload)),
        Err(error @ ProviderError::Unavailable(_)) => Err(error.into()),
        Err(error) => Ok(Err((PaymentRefusal::ProviderRefused, error.to_string()))),
    }
}

async fn record_accepted(
    database: &mut PgConnection,
    mut payment: LockedPayment,
    payload: String,
) -> anyhow::Result<Outcome> {
    let payment_id = payment.payment_id;
    if payment.payload.is_none() {
        sqlx::query!("update payments set payload = $2 where payment_id = $1", payment_id.get(), payload)
            .execute(&mut *database)
            .await?;
        let totals = payment.recompute(database).await?;
        payment.publish_status(database, totals.credited).await?;
    }
    if payment.status == PaymentStatus::Cancelled {
        // The first cancellation reached the provider before the charge did.
        schedule(database, &CancelCharge { payment_id }, payment.now).await?;
    }
    let created = PaymentCreated {
        payment_id,
        status: payment.status,
        scheme: payment.scheme,
        amount: payment.amount,
        coins: payment.price.coins,
        image: Qr::new(&payload)?.data_url()?,
        payload,
        expires_at: payment.expires_at,
    };
    Ok(Outcome::Applied(to_raw_value(&created)?))
}

/// The provider may have registered the charge all the same, if only its response was lost. A job cancels it there.
async fn record_refused(
    database: &mut PgConnection,
    mut payment: LockedPayment,
    refusal: PaymentRefusal,
    reason: &str,
) -> anyhow::Result<Outcome> {
    let payment_id = payment.payment_id;
    let failed = sqlx::query!(
        "update payments set failed_at = clock_timestamp(), failure = $2
         where payment_id = $1 and failed_at is null and cancelled_at is null",
        payment_id.get(),
        reason,
    )
    .execute(&mut *database)
    .await?;
    if failed.rows_affected() > 0 {
        tracing::warn!(reason, "charge not registered");
        let totals = payment.recompute(database).await?;
        payment.publish_status(database, totals.credited).await?;
        schedule(database, &CancelCharge { payment_id }, payment.now).await?;
    }
    Ok(Outcome::Refused(refusal.refused()))
}
