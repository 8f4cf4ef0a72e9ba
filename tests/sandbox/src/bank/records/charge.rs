//! A charge (`cob`, "cobrança imediata"): a request for one payment.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::payment::{Person, PixPayment};
use crate::money::Cents;

/// The part of a charge that the receiver sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChargeTerms {
    #[serde(rename = "calendario")]
    pub(crate) calendar: Calendar,
    #[serde(rename = "devedor", default, skip_serializing_if = "Option::is_none")]
    pub(crate) debtor: Option<Person>,
    #[serde(rename = "valor")]
    pub(crate) amount: ChargeAmount,
    /// The Pix key that receives the money.
    #[serde(rename = "chave")]
    pub(crate) key: String,
    #[serde(rename = "solicitacaoPagador", default, skip_serializing_if = "Option::is_none")]
    pub(crate) message_to_payer: Option<String>,
}

/// The lifetime of a charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Calendar {
    /// Seconds from the creation of the charge to its expiry.
    #[serde(rename = "expiracao")]
    pub(crate) expires_after_seconds: u32,
}

/// The amount of a charge, nested as in API Pix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChargeAmount {
    pub(crate) original: Cents,
}

/// The status of a charge. API Pix has no status for an expired charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ChargeStatus {
    #[serde(rename = "ATIVA")]
    Active,
    #[serde(rename = "CONCLUIDA")]
    Paid,
    #[serde(rename = "REMOVIDA_PELO_USUARIO_RECEBEDOR")]
    RemovedByReceiver,
    #[serde(rename = "REMOVIDA_PELO_PSP")]
    RemovedByBank,
}

/// A charge with the fields that the bank sets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PixCharge {
    pub(crate) txid: String,
    #[serde(rename = "criacao")]
    pub(crate) created_at: DateTime<Utc>,
    #[serde(rename = "revisao")]
    pub(crate) revision: u32,
    #[serde(rename = "loc")]
    pub(crate) location_id: u64,
    /// The URL, without scheme, in the QR code.
    pub(crate) location: String,
    /// The text of the QR code.
    pub(crate) br_code: String,
    pub(crate) status: ChargeStatus,
    #[serde(rename = "pedido")]
    pub(crate) terms: ChargeTerms,
}

impl PixCharge {
    pub(crate) fn expires_at(&self) -> DateTime<Utc> {
        self.created_at + TimeDelta::seconds(self.terms.calendar.expires_after_seconds.into())
    }

    /// The body of `GET /cob/{txid}`, with the payments of the charge.
    pub(crate) fn to_api_json(&self, payments: &[PixPayment]) -> Value {
        let mut body = json!(self.terms);
        body["calendario"]["criacao"] = json!(self.created_at);
        body["txid"] = json!(self.txid);
        body["revisao"] = json!(self.revision);
        body["status"] = json!(self.status);
        body["location"] = json!(self.location);
        body["loc"] = json!({
            "id": self.location_id, "location": self.location, "tipoCob": "cob", "criacao": self.created_at
        });
        body["pixCopiaECola"] = json!(self.br_code);
        if !payments.is_empty() {
            body["pix"] = json!(payments);
        }
        body
    }
}
