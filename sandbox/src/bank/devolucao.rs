//! Refunds: devoluções.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Bank, Change, Pix, Refused, now, pix::message_id, random};
use crate::money::Cents;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Devolucao {
    pub(crate) id: String,
    pub(crate) rtr_id: String,
    pub(crate) valor: Cents,
    pub(crate) natureza: Natureza,
    pub(crate) horario: Horario,
    pub(crate) status: DevolucaoStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) motivo: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Horario {
    pub(crate) solicitacao: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) liquidacao: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum DevolucaoStatus {
    EmProcessamento,
    Devolvido,
    NaoRealizado,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Natureza {
    /// The receiver asked for it.
    Original,
    /// The payer's bank took it back: the scheme's special mechanism (MED).
    MedFraude,
}

impl Devolucao {
    fn new(id: String, valor: Cents, natureza: Natureza) -> Self {
        let solicitacao = now();
        Self {
            id,
            rtr_id: message_id('D', solicitacao),
            valor,
            natureza,
            horario: Horario { solicitacao, liquidacao: None },
            status: DevolucaoStatus::EmProcessamento,
            motivo: None,
        }
    }

    fn settle(&mut self, status: DevolucaoStatus) {
        self.status = status;
        match status {
            DevolucaoStatus::Devolvido => self.horario.liquidacao = Some(now()),
            _ => self.motivo = Some("Saldo insuficiente para a devolução.".to_owned()),
        }
    }
}

impl Pix {
    /// What has not gone back and is not on its way back.
    fn left(&self) -> u64 {
        let counts = |refund: &&Devolucao| refund.status != DevolucaoStatus::NaoRealizado;
        let gone: u64 = self.devolucoes.iter().filter(counts).map(|refund| refund.valor.0).sum();
        self.valor.0.saturating_sub(gone)
    }

    pub(crate) fn devolucao(&self, id: &str) -> Option<&Devolucao> {
        self.devolucoes.iter().find(|refund| refund.id == id)
    }
}

impl Bank {
    /// Starts a refund; tells whether it is a new one. The same again answers the refund that is there.
    pub(crate) fn refund(&mut self, pix: &str, id: &str, valor: Cents) -> Result<(Devolucao, bool), Refused> {
        let mut pix = self.pix(pix).ok_or(Refused::Unknown)?.clone();
        match pix.devolucao(id) {
            Some(refund) if refund.valor == valor => return Ok((refund.clone(), false)),
            Some(_) => return Err(Refused::rule("id", "já existe uma devolução com este id e outro valor")),
            None if valor.0 > pix.left() => {
                return Err(Refused::rule("valor", "as devoluções excedem o valor do Pix"));
            }
            None => {}
        }
        let refund = Devolucao::new(id.to_owned(), valor, Natureza::Original);
        pix.devolucoes.push(refund.clone());
        self.commit(vec![Change::Pix(pix)])?;
        Ok((refund, true))
    }

    /// Ends a refund that is being processed.
    pub(crate) fn settle(&mut self, pix: &str, id: &str, status: DevolucaoStatus) -> Result<(), Refused> {
        let mut pix = self.pix(pix).ok_or(Refused::Unknown)?.clone();
        let refund = pix.devolucoes.iter_mut().find(|refund| refund.id == id).ok_or(Refused::Unknown)?;
        if refund.status != DevolucaoStatus::EmProcessamento {
            return Ok(());
        }
        refund.settle(status);
        self.commit(vec![Change::Pix(pix)])
    }

    /// Takes money back unasked: all that is left, or an amount of it.
    pub(crate) fn reverse(&mut self, pix: &str, valor: Option<Cents>) -> Result<Pix, Refused> {
        let mut pix = self.pix(pix).ok_or(Refused::Unknown)?.clone();
        let valor = valor.unwrap_or(Cents(pix.left()));
        if valor.0 == 0 || valor.0 > pix.left() {
            return Err(Refused::rule("amount", format!("{} is left to take back", Cents(pix.left()))));
        }
        let mut refund = Devolucao::new(random(32), valor, Natureza::MedFraude);
        refund.settle(DevolucaoStatus::Devolvido);
        pix.devolucoes.push(refund);
        self.commit(vec![Change::Pix(pix.clone())])?;
        Ok(pix)
    }

    /// Refunds that a restart interrupted: end-to-end id and id.
    pub(crate) fn unsettled(&self) -> Vec<(String, String)> {
        let open = |refund: &&Devolucao| refund.status == DevolucaoStatus::EmProcessamento;
        let refunds = self.pix.values().flat_map(|pix| {
            let refunds = pix.devolucoes.iter().filter(open);
            refunds.map(|refund| (pix.end_to_end_id.clone(), refund.id.clone()))
        });
        refunds.collect()
    }
}
