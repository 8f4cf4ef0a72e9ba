//! The command `payment.create`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::PaymentRefusal,
    values::{PaymentId, PaymentStatus, PurchaseTarget},
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};
use crate::{money::Money, payment_codes::Scheme};

/// Creates a payment. A deferred command: it is completed when the provider has registered the charge.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatePayment {
    #[serde(rename = "wanted")]
    pub target: PurchaseTarget,
    /// None selects the scheme of the package's currency, or else the default scheme of the site.
    pub scheme: Option<Scheme>,
}

/// A payment was created, and the player can pay it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PaymentCreated {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub scheme: Scheme,
    pub amount: Money,
    /// The coins that are credited when exactly the amount is paid.
    pub coins: i64,
    /// The payload of the QR code. A bank app also accepts it as text.
    pub payload: String,
    /// The QR code as a PNG, as a `data:` URL.
    pub image: String,
    pub expires_at: DateTime<Utc>,
}

impl Declaration for CreatePayment {
    type Output = PaymentCreated;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "payment.create";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [PaymentRefusal] = &[
        PaymentRefusal::PackageNotFound,
        PaymentRefusal::SchemeUnavailable,
        PaymentRefusal::CurrencyMismatch,
        PaymentRefusal::NoPrice,
        PaymentRefusal::AmountTooLarge,
        PaymentRefusal::TooManyOpen,
        PaymentRefusal::TooManyCreated,
        PaymentRefusal::ProviderRefused,
        PaymentRefusal::ProviderUnavailable,
        PaymentRefusal::CancelledMeanwhile,
    ];
    const EXAMPLE: &'static str = r#"{"wanted":{"package":1},"scheme":null}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    PaymentCreated {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "pending", "scheme": "pix",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250,
        "payload": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4",
        "image": "data:image/png;base64,iVBORw0KGgo=", "expires_at": "2030-01-31T12:30:00Z"
    }
}
