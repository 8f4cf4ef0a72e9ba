//! What a bank answers. Read leniently, as the standard asks: new fields and new words are no errors.

use chrono::{DateTime, Utc};
use guildhall_common::money::{Currency, Money};
use serde::Deserialize;
use serde_json::Value;

use crate::providers::{RefundState, Returned};

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

/// Money that came.
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
        reais(&self.valor).filter(|money| money.minor() > 0)
    }
}

/// Money that goes back.
#[derive(Debug, Deserialize)]
pub(super) struct Devolucao {
    id: String,
    valor: String,
    /// ORIGINAL: asked for by the receiver; MED_…: taken back by the scheme.
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

    pub(super) fn returned(&self) -> Option<Returned> {
        let reversal = self.natureza.as_deref().is_some_and(|kind| kind.starts_with("MED"));
        Some(Returned {
            refund_id: self.id.clone(),
            amount: reais(&self.valor).filter(|money| money.minor() > 0)?,
            state: self.state(),
            reversal,
            reason: self.motivo.clone().or_else(|| self.natureza.clone()).unwrap_or_default(),
            at: self.horario.as_ref().and_then(|times| times.solicitacao).unwrap_or_else(Utc::now),
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
pub(super) struct Problem {
    pub(super) title: String,
    pub(super) detail: String,
}

fn reais(text: &str) -> Option<Money> {
    Money::parse(text, Currency::Brl).ok()
}
