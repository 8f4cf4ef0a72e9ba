//! Payments: from the QR code to the coins, and everything that can go wrong on the way.

mod amounts;
mod forged_notifications;
mod ledger;
mod lifetime;
mod limits;
mod lists;
mod notifications;
mod payment;
mod reconciliation;
mod refunds;
mod signed_notifications;
mod webhook;
