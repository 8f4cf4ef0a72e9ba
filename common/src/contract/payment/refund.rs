//! The command `payment.refund`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::PaymentRefusal,
    values::{PaymentId, PaymentStatus},
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
    values::Reason,
};
use crate::money::Money;

/// Sends money back and removes its coins.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundPayment {
    pub payment_id: PaymentId,
    /// None refunds everything that is left.
    pub amount: Option<Money>,
    pub reason: Reason,
}

/// A refund was requested. The provider has not confirmed it yet.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentRefunded {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub amount: Money,
    /// The coins that were removed.
    pub coins: i64,
    /// The balance of the account. It is negative if the coins were spent.
    pub balance: i64,
}

impl Declaration for RefundPayment {
    type Output = PaymentRefunded;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.refund";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] = &[
        PaymentRefusal::PaymentNotFound,
        PaymentRefusal::CurrencyMismatch,
        PaymentRefusal::NothingToRefund,
        PaymentRefusal::RefundTooLarge,
        PaymentRefusal::RefundUnsupported,
    ];
    const EXAMPLE: &'static str = r#"{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","amount":{"amount":"25.00","currency":"BRL"},"reason":"Paid twice."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("payment", self.payment_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.payment(self.payment_id);
    }
}

crate::examples! {
    PaymentRefunded {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "refund_pending",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "balance": 0
    }
}
