//! A bank that offers the API Pix of Brazil's central bank, v2 (bacen/pix-api).

mod access_token;
mod bank;
mod charges;
mod circuit_breaker;
mod client;
mod lenient;
mod notification;
mod operations;
mod pause;
mod refunds;
mod request_error;
mod responses;
mod transfers;

pub(super) use self::{bank::ApiPix, notification::notification_keys};
use crate::providers::notification::NotificationClaim;

/// The claim of a stored notification. Without a configured bank, every key is another key than ours.
pub(super) fn read_notification(
    bank: Option<&ApiPix>,
    body: &serde_json::Value,
) -> Result<NotificationClaim, String> {
    notification::read_notification(bank.map(ApiPix::key), body)
}
