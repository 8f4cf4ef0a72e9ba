//! A bank account without an API.
//!
//! The site makes the QR code. The operator's own program reports receipts and refunds by signed notifications.
//! Charges cannot be fetched or cancelled, and refunds cannot be sent.

mod accounts;
mod notification;
mod operations;
mod payload;
mod reference;

pub(super) use self::{
    notification::{notification_keys, read_notification},
    operations::Manual,
};
