//! Notifications of payment providers, from the webhook to the workers.
//!
//! The body of a webhook request has a format of the provider's own. One file per provider reads it.

mod api_pix;
mod body;
mod manual;
mod message;
mod provider;
mod unreadable;

pub use self::{
    api_pix::{MIN_WEBHOOK_SECRET, is_webhook_secret, transfer_notification},
    body::read,
    message::Notification,
    provider::Provider,
    unreadable::UnreadableNotification,
};
