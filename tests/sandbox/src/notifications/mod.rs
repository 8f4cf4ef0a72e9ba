//! Webhook notifications to the receiver.

mod delivery;
pub(crate) mod http_client;
mod registration;

pub(crate) use self::{
    delivery::deliver_notifications,
    registration::{probe_webhook, register_configured_webhook},
};
