//! Payments: the match on the command, and the jobs.

mod books;
mod cancel;
mod create;
mod notification;
mod notify;
mod reconcile;
mod refund;
mod register;
mod replay_notification;
mod settle;
mod signed;

use guildhall_common::contract::{command::Failure, payment::PaymentCommand};

pub(crate) use crate::payments::{
    cancel::tell_cancelled,
    notification::read_notification,
    reconcile::{reconcile, reconcile_returns},
    refund::send_refund,
    register::register,
    settle::watch,
};
use crate::{
    app::App,
    engine::rule::{Context, Progress, Rules},
};

/// Tells the bank where to send its notifications of Pix: to this URL, secret included. It tries whether
/// anybody answers there.
///
/// # Errors
/// When no bank is set, it cannot be reached, or it refuses.
pub async fn register_webhook(site: &App, url: &str) -> anyhow::Result<()> {
    Ok(site.providers.register_webhook(url).await?)
}

impl Rules for PaymentCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::CreatePayment(command) => cx.start(command).await,
            Self::CancelPayment(command) => cx.run(command).await,
            Self::RefundPayment(command) => cx.run(command).await,
            Self::StoreNotifications(command) => cx.run(command).await,
            Self::ReplayNotification(command) => cx.run(command).await,
            Self::AdjustCoins(command) => cx.run(command).await,
        }
    }
}
