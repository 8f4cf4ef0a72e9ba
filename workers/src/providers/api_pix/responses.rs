//! Response bodies of the API Pix. As the standard requires, new fields and new enum values are no errors. Banks also send `null`
//! for an empty list, and amounts as numbers.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::values::Timestamp,
    money::{Currency, Money},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::providers::{
    api_pix::lenient::{amount, list},
    charge::{RefundState, ReportedRefund, stored_time},
};

/// A charge (`cobrança imediata`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cob {
    pub(super) location: Option<String>,
    pub(super) valor: Valor,
    pub(super) chave: Option<String>,
    pub(super) pix_copia_e_cola: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pix: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Valor {
    #[serde(deserialize_with = "amount")]
    original: String,
}

impl Cob {
    pub(super) fn amount(&self) -> Option<Money> {
        reais(&self.valor.original)
    }

    /// The received Pix, without those that cannot be read: one of them must not hide the others.
    pub(super) fn received_pix(&self) -> Vec<ReceivedPix> {
        readable(&self.pix)
    }
}

/// A received Pix.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceivedPix {
    pub(super) end_to_end_id: String,
    pub(super) chave: Option<String>,
    #[serde(deserialize_with = "amount")]
    valor: String,
    #[serde(deserialize_with = "stored_time")]
    pub(super) horario: DateTime<Utc>,
    #[serde(default, deserialize_with = "list")]
    devolucoes: Vec<Value>,
}

impl ReceivedPix {
    pub(super) fn amount(&self) -> Option<Money> {
        positive_reais(&self.valor)
    }

    pub(super) fn refunds(&self) -> Vec<ReportedRefund> {
        reported_refunds(&self.devolucoes)
    }
}

/// A refund (`devolução`).
#[derive(Debug, Deserialize)]
pub(super) struct Devolucao {
    id: String,
    #[serde(deserialize_with = "amount")]
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

    /// None if the bank reports no time that the database can store: the refund itself counts.
    fn requested_at(&self) -> Option<DateTime<Utc>> {
        let time = self.horario.as_ref()?.solicitacao?;
        Timestamp::try_from(time).ok().map(|time| time.0)
    }

    /// None if the amount is not a positive amount of reais.
    fn reported_refund(&self) -> Option<ReportedRefund> {
        Some(ReportedRefund {
            refund_id: self.id.clone(),
            amount: positive_reais(&self.valor)?,
            state: self.state(),
            is_reversal: self.natureza.as_deref().is_some_and(|kind| kind.starts_with("MED")),
            reason: self.motivo.clone().or_else(|| self.natureza.clone()).unwrap_or_default(),
            requested_at: self.requested_at(),
        })
    }
}

/// A page of received Pix.
#[derive(Debug, Deserialize)]
pub(super) struct PixList {
    pub(super) parametros: Parametros,
    #[serde(default, deserialize_with = "list")]
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

/// The refunds that can be read, of a list of `devolucoes`.
pub(super) fn reported_refunds(devolucoes: &[Value]) -> Vec<ReportedRefund> {
    readable::<Devolucao>(devolucoes).iter().filter_map(Devolucao::reported_refund).collect()
}

/// The entries of a list that can be read. The log has the reason for each other one.
fn readable<T: DeserializeOwned>(entries: &[Value]) -> Vec<T> {
    let readable = entries.iter().filter_map(|entry| match T::deserialize(entry) {
        Ok(entry) => Some(entry),
        Err(error) => {
            tracing::warn!(%error, "entry of the bank's list skipped: it cannot be read");
            None
        }
    });
    readable.collect()
}

fn reais(text: &str) -> Option<Money> {
    Money::parse(text, Currency::Brl).ok()
}

fn positive_reais(text: &str) -> Option<Money> {
    reais(text).filter(|money| money.minor() > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_lists_are_empty_and_amounts_may_be_numbers() {
        let pix = json!({ "endToEndId": "E1", "valor": 100.0, "horario": "2030-01-01T00:00:00Z", "devolucoes": null });
        let cob = json!({ "valor": { "original": 100 }, "chave": null, "location": null, "pix": [pix] });
        let cob = Cob::deserialize(cob).unwrap();
        let received = cob.received_pix();
        assert_eq!((cob.amount(), received[0].amount()), (reais("100.00"), reais("100.00")));
        assert!(received[0].refunds().is_empty());
        assert!(
            Cob::deserialize(json!({ "valor": { "original": "1.00" }, "pix": null })).unwrap().pix.is_empty()
        );
        let paginacao = json!({ "quantidadeDePaginas": 0 });
        let list = json!({ "parametros": { "paginacao": paginacao }, "pix": null });
        assert!(PixList::deserialize(list).unwrap().pix.is_empty());
    }

    #[test]
    fn an_entry_that_cannot_be_read_hides_no_other_one() {
        let pix = |id: &str| json!({ "endToEndId": id, "valor": "1.00", "horario": "2030-01-01T00:00:00Z" });
        let pix = json!([null, pix("E1"), { "endToEndId": "E2", "valor": {} }, pix("E3")]);
        let cob = Cob::deserialize(json!({ "valor": { "original": "1.00" }, "pix": pix })).unwrap();
        let ids: Vec<_> = cob.received_pix().into_iter().map(|pix| pix.end_to_end_id).collect();
        assert_eq!(ids, ["E1", "E3"]);
        let refunds = json!([{ "id": "R1" }, { "id": "R2", "valor": 0.5, "status": "DEVOLVIDO" }]);
        let refunds = reported_refunds(refunds.as_array().unwrap());
        assert_eq!((refunds.len(), refunds[0].amount), (1, reais("0.50").unwrap()));
    }
}
