//! Payments: the rules of the commands, and the jobs.

mod cancel;
mod check_charge;
mod coin_credit;
mod create;
mod discard_notification;
mod list_pass;
mod log_span;
mod open_notification;
mod payment;
mod process_notification;
mod reconcile;
mod records;
mod refund;
mod register_charge;
mod replay_notification;
mod send_refund;
mod signed_claims;
mod store_notifications;
mod transfer_list;
mod unconfirmed;

use guildhall_common::contract::{
    command::{Actor, Failure},
    payment::PaymentCommand,
};

pub(crate) use crate::payments::{
    cancel::{cancel_charge, cancel_open_payments, open_payments},
    check_charge::{check_charge, recheck_charge},
    process_notification::process_notification,
    reconcile::{reconcile_late_receipts, reconcile_receipts, reconcile_refunds},
    register_charge::register_charge,
    send_refund::send_refund,
};
use crate::{
    app::App,
    engine::{
        locks::Locks,
        rule::{Context, Progress},
        rules::Rules,
    },
};

/// Registers the URL of the webhook with the bank. The URL contains the secret. The bank sends a test request to it.
///
/// # Errors
/// When no bank is configured, or it cannot be reached or refuses.
pub async fn register_webhook(app: &App, url: &str) -> anyhow::Result<()> {
    Ok(app.providers.register_webhook(url).await?)
}

impl Rules for PaymentCommand {
    fn locks(&self, _: Actor, locks: &mut Locks) {
        match self {
            Self::CancelPayment(command) => locks.payment(command.payment_id),
            Self::RefundPayment(command) => locks.payment(command.payment_id),
            Self::AdjustCoins(command) => locks.coins(command.account_id),
            // Their rows are new, or only this partition changes them.
            Self::CreatePayment(_)
            | Self::StoreNotifications(_)
            | Self::ReplayNotification(_)
            | Self::DiscardNotification(_)
            | Self::SetCoinRate(_)
            | Self::CreateCoinPackage(_)
            | Self::EditCoinPackage(_)
            | Self::RetireCoinPackage(_) => {}
        }
    }

    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::CreatePayment(command) => cx.start(command).await,
            Self::CancelPayment(command) => cx.run(command).await,
            Self::RefundPayment(command) => cx.run(command).await,
            Self::StoreNotifications(command) => cx.run(command).await,
            Self::ReplayNotification(command) => cx.run(command).await,
            Self::DiscardNotification(command) => cx.run(command).await,
            Self::AdjustCoins(command) => cx.run(command).await,
            Self::SetCoinRate(command) => cx.run(command).await,
            Self::CreateCoinPackage(command) => cx.run(command).await,
            Self::EditCoinPackage(command) => cx.run(command).await,
            Self::RetireCoinPackage(command) => cx.run(command).await,
        }
    }
}
