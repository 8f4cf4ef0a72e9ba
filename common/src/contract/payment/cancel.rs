//! The command `payment.cancel`.

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
};

/// Cancels a payment that is not paid.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelPayment {
    pub payment_id: PaymentId,
}

/// A payment was cancelled.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCancelled {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
}

impl Declaration for CancelPayment {
    type Output = PaymentCancelled;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.cancel";
    const SENDER: Sender = Sender::Player;
    const STRANGER: Option<PaymentRefusal> = Some(PaymentRefusal::PaymentNotFound);
    const REFUSALS: &'static [PaymentRefusal] =
        &[PaymentRefusal::PaymentNotFound, PaymentRefusal::NotCancellable];
    const EXAMPLE: &'static str = r#"{"payment_id":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("payment", self.payment_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.payment(self.payment_id);
    }
}

crate::examples! {
    PaymentCancelled { "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "cancelled" }
}
