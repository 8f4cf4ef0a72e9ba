//! A refund (`devolucao`): money of a payment that goes back to the payer.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    bank::identifiers::{message_id, now},
    money::Cents,
};

/// A refund of a payment, whole or in part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PixRefund {
    /// The id that the receiver chose.
    pub(crate) id: String,
    /// The id of the return transfer.
    #[serde(rename = "rtrId")]
    pub(crate) return_id: String,
    #[serde(rename = "valor")]
    pub(crate) amount: Cents,
    #[serde(rename = "natureza")]
    pub(crate) kind: RefundKind,
    #[serde(rename = "horario")]
    pub(crate) times: RefundTimes,
    pub(crate) status: RefundStatus,
    /// The reason of a failure.
    #[serde(rename = "motivo", default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure_reason: Option<String>,
}

/// The times of a refund.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RefundTimes {
    #[serde(rename = "solicitacao")]
    pub(crate) requested_at: DateTime<Utc>,
    #[serde(rename = "liquidacao", default, skip_serializing_if = "Option::is_none")]
    pub(crate) completed_at: Option<DateTime<Utc>>,
}

/// The status of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RefundStatus {
    #[serde(rename = "EM_PROCESSAMENTO")]
    Processing,
    #[serde(rename = "DEVOLVIDO")]
    Refunded,
    #[serde(rename = "NAO_REALIZADO")]
    Failed,
}

/// The origin of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RefundKind {
    /// The receiver requested the refund.
    #[serde(rename = "ORIGINAL")]
    Requested,
    /// The payer's bank took the money back after a fraud report (MED, "Mecanismo Especial de Devolução").
    #[serde(rename = "MED_FRAUDE")]
    FraudReversal,
}

impl PixRefund {
    pub(crate) fn new(id: String, amount: Cents, kind: RefundKind) -> Self {
        let requested_at = now();
        Self {
            id,
            return_id: message_id('D', requested_at),
            amount,
            kind,
            times: RefundTimes { requested_at, completed_at: None },
            status: RefundStatus::Processing,
            failure_reason: None,
        }
    }

    /// Sets the final status.
    pub(crate) fn complete(&mut self, status: RefundStatus) {
        self.status = status;
        match status {
            RefundStatus::Refunded => self.times.completed_at = Some(now()),
            _ => self.failure_reason = Some("The balance is too low for the refund.".to_owned()),
        }
    }
}
