//! Payments: the rules of the commands, and the jobs.

mod cancel;
mod charge;
mod check_charge;
mod coin_credit;
mod create;
mod discard_notification;
mod list_pass;
mod log_span;
mod open_notification;
mod payment;
mod process_notification;
mod purge_notifications;
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

use crate::app::App;
pub(crate) use crate::payments::{
    cancel::{CancelCharge, cancel_open_payments, open_payments},
    check_charge::{CheckCharge, RecheckCharge},
    process_notification::ProcessNotification,
    purge_notifications::PurgeNotifications,
    reconcile::{ReconcileLateReceipts, ReconcileReceipts, ReconcileRefunds},
    register_charge::RegisterCharge,
    send_refund::SendRefund,
};

/// Registers the URL of the webhook with the bank. The URL contains the secret. The bank sends a test request to it.
///
/// # Errors
/// When no bank is configured, or it cannot be reached or refuses.
pub async fn register_webhook(app: &App, url: &str) -> anyhow::Result<()> {
    Ok(app.services.providers.register_webhook(url).await?)
}
