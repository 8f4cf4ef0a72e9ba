//! The bank's records and the rules that change them. This module knows no HTTP.

mod append_log;
mod change;
mod charges;
mod error;
mod identifiers;
mod payments;
mod records;
mod refunds;
mod store;
mod webhooks;

pub(crate) use self::{
    error::BankError,
    identifiers::{has_id_shape, now, random_id},
    records::{
        charge::{Calendar, ChargeAmount, ChargeTerms, PixCharge},
        payment::{PaymentOrder, Person, PixPayment},
        refund::RefundStatus,
        webhook::Webhook,
    },
    store::FakeBank,
};
