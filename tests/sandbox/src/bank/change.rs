//! Changes of the bank's records, as the append-only log stores them.

use serde::{Deserialize, Serialize};

use super::records::{charge::PixCharge, payment::PixPayment, webhook::Webhook};

/// A record in its new state. The names in JSON are those of existing files.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum RecordChange {
    #[serde(rename = "cob")]
    Charge(PixCharge),
    #[serde(rename = "pix")]
    Payment(PixPayment),
    #[serde(rename = "webhook")]
    Webhook(Webhook),
    /// The key of a webhook that was removed.
    #[serde(rename = "webhook_removed")]
    WebhookRemoved(String),
}
