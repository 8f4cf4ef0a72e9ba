//! The jobs that check a charge.

use chrono::TimeDelta;
use guildhall_common::{
    contract::payment::{PaymentId, PaymentStatus},
    platform::db,
};
use serde::{Deserialize, Serialize};
use tracing::Instrument;

use crate::{
    app::App,
    engine::jobs::{Job, NextRun, schedule},
    payments::{
        charge::{fetch_report, find_charge},
        log_span::payment_span,
        payment::{LockedPayment, PaymentSelector, lock},
    },
};

/// How often an open charge is checked, in case a notification is lost.
const CHECK_INTERVAL: TimeDelta = TimeDelta::minutes(5);

/// How long after the expiry an unavailable provider is still tried.
const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(1);

/// How long after its expiry an expired charge is checked once more: a bank may list a Pix hours late.
const RECHECK_AFTER: TimeDelta = TimeDelta::hours(6);

/// Checks an open charge at intervals until it expires, and a charge with a pending refund until the refund is completed.
/// Publishes the expiry once.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CheckCharge {
    pub(crate) payment_id: PaymentId,
}

impl Job for CheckCharge {
    const NAME: &'static str = "watch_charge";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let payment_id = self.payment_id;
        check(app, payment_id, false).instrument(payment_span(payment_id)).await
    }
}

/// Checks an expired charge once more.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecheckCharge {
    pub(crate) payment_id: PaymentId,
}

impl Job for RecheckCharge {
    const NAME: &'static str = "recheck_charge";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let payment_id = self.payment_id;
        check(app, payment_id, true).instrument(payment_span(payment_id)).await
    }
}

async fn check(app: &App, payment_id: PaymentId, is_recheck: bool) -> anyhow::Result<NextRun> {
    let Some(charge) = find_charge(app, PaymentSelector::Id(payment_id)).await? else {
        return Ok(NextRun::Done);
    };
    let report = fetch_report(app, &charge).await;
    let mut transaction = db::begin(&app.database).await?;
    let Some(mut payment) = lock(&mut transaction, PaymentSelector::Id(payment_id)).await? else {
        return Ok(NextRun::Done);
    };
    let status_before = payment.status;
    match report {
        Ok(report) => payment.record(&mut transaction, &report).await?,
        Err(error) if payment.now < payment.expires_at + GIVE_UP_AFTER => return Err(error.into()),
        Err(error) => tracing::warn!(%error, "charge check given up"),
    }
    if payment.status == PaymentStatus::Expired && !is_recheck {
        if status_before == PaymentStatus::Expired {
            payment.publish_status(&mut transaction, 0).await?;
        }
        let recheck = RecheckCharge { payment_id };
        schedule(&mut transaction, &recheck, payment.expires_at + RECHECK_AFTER).await?;
    }
    transaction.commit().await?;
    Ok(if is_recheck { NextRun::Done } else { next_check(&payment) })
}

fn next_check(payment: &LockedPayment) -> NextRun {
    match payment.status {
        PaymentStatus::Created | PaymentStatus::Pending => {
            let remaining = payment.expires_at - payment.now;
            NextRun::After(remaining.clamp(TimeDelta::seconds(1), CHECK_INTERVAL))
        }
        PaymentStatus::RefundPending => NextRun::After(CHECK_INTERVAL),
        _ => NextRun::Done,
    }
}
