//! Making a charge known to its provider, and telling who asked for it how to pay.

use guildhall_common::{
    contract::{
        command::{OperationId, Outcome, Refusal},
        payment::{PaymentCreated, PaymentRefusal, PaymentStatus},
    },
    payment_codes::Qr,
    platform::db,
};
use serde_json::value::to_raw_value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    app::App,
    engine::deferred,
    jobs::{Job, Next, schedule},
    payments::books::{Payment, Which, lock},
    providers::{Charge, ProviderError},
};

/// Until the provider has taken or refused it, or the time to pay is over.
pub(crate) async fn register(site: &App, payment_id: Uuid) -> anyhow::Result<Next> {
    let Some(payment) = load(site, payment_id).await? else {
        return Ok(Next::Done);
    };
    let asked = match (&payment.payload, payment.status) {
        (Some(payload), _) => Ok(payload.clone()),
        (None, PaymentStatus::Cancelled) => Err((PaymentRefusal::CancelledMeanwhile, String::new())),
        (None, PaymentStatus::Expired | PaymentStatus::Failed) => {
            Err((PaymentRefusal::ProviderAway, "it could not be reached in time".to_owned()))
        }
        // Also when it is paid already: then the provider knows it, and only its answer was lost.
        (None, _) => {
            let charge = Charge {
                scheme: payment.scheme,
                reference: payment.reference.clone(),
                amount: payment.amount,
                lifetime: (payment.expires_at - payment.now).num_seconds().max(1),
            };
            match site.providers.register(payment.provider, &charge).await {
                Ok(payload) => Ok(payload),
                Err(ProviderError::Away(why)) => anyhow::bail!("{why}"),
                Err(refused) => Err((PaymentRefusal::ProviderRefused, refused.to_string())),
            }
        }
    };
    let mut transaction = db::begin(&site.database).await?;
    let outcome = match asked {
        Ok(payload) => taken(&mut transaction, payment_id, payload).await?,
        Err((refusal, why)) => refused(&mut transaction, payment_id, refusal, &why).await?,
    };
    let completion = deferred::complete(&mut transaction, OperationId(payment_id), outcome, &[]).await?;
    transaction.commit().await?;
    if let Some(completion) = completion {
        completion.report(site);
    }
    Ok(Next::Done)
}

async fn load(site: &App, payment_id: Uuid) -> anyhow::Result<Option<Payment>> {
    let mut transaction = db::begin(&site.database).await?;
    Ok(lock(&mut transaction, Which::Id(payment_id)).await?)
}

async fn taken(database: &mut PgConnection, payment_id: Uuid, payload: String) -> anyhow::Result<Outcome> {
    sqlx::query!(
        "update payments set payload = $2 where payment_id = $1 and payload is null",
        payment_id,
        payload,
    )
    .execute(&mut *database)
    .await?;
    let payment = lock(database, Which::Id(payment_id)).await?.ok_or(sqlx::Error::RowNotFound)?;
    payment.announce(&mut *database, 0).await?;
    if payment.status == PaymentStatus::Cancelled {
        // It was told before it knew the charge.
        schedule(database, &Job::CancelCharge { payment_id }, payment.now).await?;
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

/// The provider may have taken it all the same, when only its answer was lost: it is told that
/// nobody shall pay.
async fn refused(
    database: &mut PgConnection,
    payment_id: Uuid,
    refusal: PaymentRefusal,
    why: &str,
) -> anyhow::Result<Outcome> {
    let failed = sqlx::query!(
        "update payments set failed_at = clock_timestamp(), failure = $2
         where payment_id = $1 and failed_at is null and cancelled_at is null",
        payment_id,
        why,
    )
    .execute(&mut *database)
    .await?;
    if failed.rows_affected() > 0 {
        tracing::warn!(%payment_id, why, "a payment cannot be made");
        let payment = lock(database, Which::Id(payment_id)).await?.ok_or(sqlx::Error::RowNotFound)?;
        payment.announce(&mut *database, 0).await?;
        schedule(database, &Job::CancelCharge { payment_id }, payment.now).await?;
    }
    Ok(Outcome::Refused(refusal.refused()))
}
