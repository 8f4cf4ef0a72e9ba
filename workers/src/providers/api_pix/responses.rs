//! Response bodies of the API Pix. As the standard requires, new fields and new enum values are no errors.

use chrono::{DateTime, Utc};
use guildhall_common::money::{Currency, Money};
use serde::Deserialize;
use serde_json::Value;

use crate::providers::charge::{RefundState, ReportedRefund};

/// A charge (`cobrança imediata`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cob {
    pub(super) location: Option<String>,
    pub(super) valor: Valor,
    pub(super) chave: Option<String>,
    pub(super) pix_copia_e_cola: Option<String>,
    #[serde(default)]
    pub(super) pix: Vec<ReceivedPix>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Valor {
    original: String,
}

impl Cob {
    pub(super) fn amount(&self) -> Option<Money> {
        reais(&self.valor.original)
    }
}

/// A received Pix.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceivedPix {
    pub(super) end_to_end_id: String,
    pub(super) chave: Option<String>,
    valor: String,
    pub(super) horario: DateTime<Utc>,
    #[serde(default)]
    pub(super) devolucoes: Vec<Devolucao>,
}

impl ReceivedPix {
    pub(super) fn amount(&self) -> Option<Money> {
        positive_reais(&self.valor)
    }
}

/// A refund (`devolução`).
#[derive(Debug, Deserialize)]
pub(super) struct Devolucao {
    id: String,
    valor: String,
    /// `ORIGINAL`: requested by the receiver. `MED_…`: taken back by the scheme.
    natureza: Option<String>,
    motivo: Option<String>,
    status: String,
    horario: Option<Horario>,
}

#[derive(Debug, Deserialize)]
struct Horario {
    solicitacao: Option<DateTime<Utc>>,
}

impl Devolucao {
    pub(super) fn state(&self) -> RefundState {
        match &*self.status {
            "DEVOLVIDO" => RefundState::Done,
            "NAO_REALIZADO" => RefundState::Failed,
            _ => RefundState::Pending,
        }
    }

    /// None if the amount is not a positive amount of reais.
    pub(super) fn reported_refund(&self) -> Option<ReportedRefund> {
        Some(ReportedRefund {
            refund_id: self.id.clone(),
            amount: positive_reais(&self.valor)?,
            state: self.state(),
            is_reversal: self.natureza.as_deref().is_some_and(|kind| kind.starts_with("MED")),
            reason: self.motivo.clone().or_else(|| self.natureza.clone()).unwrap_or_default(),
            requested_at: self.horario.as_ref().and_then(|times| times.solicitacao),
        })
    }
}

/// A page of received Pix.
#[derive(Debug, Deserialize)]
pub(super) struct PixList {
    pub(super) parametros: Parametros,
    #[serde(default)]
    pub(super) pix: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Parametros {
    pub(super) paginacao: Paginacao,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Paginacao {
    pub(super) quantidade_de_paginas: u32,
}

/// An error (RFC 7807).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProblemDetails {
    pub(super) title: String,
    pub(super) detail: String,
}

fn reais(text: &str) -> Option<Money> {
    Money::parse(text, Currency::Brl).ok()
}

fn positive_reais(text: &str) -> Option<Money> {
    reais(text).filter(|money| money.minor() > 0)
}
