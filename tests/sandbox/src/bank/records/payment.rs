//! A received payment (`pix`).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::refund::{PixRefund, RefundStatus};
use crate::{
    bank::identifiers::{message_id, now},
    money::Cents,
};

/// A payment that the receiver has got.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PixPayment {
    #[serde(rename = "endToEndId")]
    pub(crate) end_to_end_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) txid: Option<String>,
    #[serde(rename = "valor")]
    pub(crate) amount: Cents,
    /// The Pix key that received the money.
    #[serde(rename = "chave")]
    pub(crate) key: String,
    #[serde(rename = "horario")]
    pub(crate) paid_at: DateTime<Utc>,
    #[serde(rename = "infoPagador", default, skip_serializing_if = "Option::is_none")]
    pub(crate) payer_message: Option<String>,
    #[serde(rename = "pagador", default, skip_serializing_if = "Option::is_none")]
    pub(crate) payer: Option<Person>,
    #[serde(rename = "devolucoes", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) refunds: Vec<PixRefund>,
}

impl PixPayment {
    /// The amount in cents that is neither refunded nor being refunded.
    pub(crate) fn refundable_cents(&self) -> u64 {
        let counts = |refund: &&PixRefund| refund.status != RefundStatus::Failed;
        let refunded: u64 = self.refunds.iter().filter(counts).map(|refund| refund.amount.0).sum();
        self.amount.0.saturating_sub(refunded)
    }

    pub(crate) fn refund(&self, id: &str) -> Option<&PixRefund> {
        self.refunds.iter().find(|refund| refund.id == id)
    }
}

/// A natural person with a CPF, or a company with a CNPJ. Exactly one of the two numbers is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Person {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cpf: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cnpj: Option<String>,
    #[serde(rename = "nome")]
    pub(crate) name: String,
}

/// A payment as the payer's bank sends it.
#[derive(Debug, Clone)]
pub(crate) struct PaymentOrder {
    pub(crate) amount: Cents,
    pub(crate) paid_at: DateTime<Utc>,
    pub(crate) payer_message: Option<String>,
    pub(crate) payer: Option<Person>,
}

impl PaymentOrder {
    pub(crate) fn now(amount: Cents) -> Self {
        Self { amount, paid_at: now(), payer_message: None, payer: None }
    }

    /// Executes the order: the payment gets its end-to-end id.
    pub(crate) fn into_payment(self, key: &str, txid: Option<String>) -> PixPayment {
        PixPayment {
            end_to_end_id: message_id('E', self.paid_at),
            txid,
            amount: self.amount,
            key: key.to_owned(),
            paid_at: self.paid_at,
            payer_message: self.payer_message,
            payer: self.payer,
            refunds: vec![],
        }
    }
}
