//! Received payments: Pix.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Bank, Change, Devolucao, Refused, Status, now, random};
use crate::money::Cents;

/// The bank that the payers of this sandbox are with; no real one has this number.
pub(super) const ISPB: &str = "99999999";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pix {
    pub(crate) end_to_end_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) txid: Option<String>,
    pub(crate) valor: Cents,
    pub(crate) chave: String,
    pub(crate) horario: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) info_pagador: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pagador: Option<Pessoa>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) devolucoes: Vec<Devolucao>,
}

/// A person by CPF or a company by CNPJ: one of the two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pessoa {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cpf: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cnpj: Option<String>,
    pub(crate) nome: String,
}

/// What a payer sends.
#[derive(Debug, Clone)]
pub(crate) struct Payment {
    pub(crate) valor: Cents,
    pub(crate) horario: DateTime<Utc>,
    pub(crate) info_pagador: Option<String>,
    pub(crate) pagador: Option<Pessoa>,
}

impl Payment {
    pub(crate) fn now(valor: Cents) -> Self {
        Self { valor, horario: now(), info_pagador: None, pagador: None }
    }

    fn to(self, chave: &str, txid: Option<String>) -> Pix {
        Pix {
            end_to_end_id: message_id('E', self.horario),
            txid,
            valor: self.valor,
            chave: chave.to_owned(),
            horario: self.horario,
            info_pagador: self.info_pagador,
            pagador: self.pagador,
            devolucoes: vec![],
        }
    }
}

/// 32 characters: the kind, the bank, the minute, and 11 of chance.
pub(super) fn message_id(kind: char, at: DateTime<Utc>) -> String {
    format!("{kind}{ISPB}{}{}", at.format("%Y%m%d%H%M"), random(11))
}

impl Bank {
    /// Pays a charge, once per payment. Whatever the amounts, the charge is then concluded:
    /// a real bank would refuse the wrong ones, but the receiver shall cope with them.
    pub(crate) fn pay(&mut self, txid: &str, payments: Vec<Payment>) -> Result<Vec<Pix>, Refused> {
        let mut cob = self.cob(txid).ok_or(Refused::Unknown)?.clone();
        if !matches!(cob.status, Status::Ativa | Status::Concluida) {
            return Err(Refused::rule("status", "the charge was removed"));
        }
        cob.status = Status::Concluida;
        let chave = &cob.pedido.chave;
        let pix: Vec<Pix> =
            payments.into_iter().map(|payment| payment.to(chave, Some(txid.to_owned()))).collect();
        let paid = pix.iter().cloned().map(Change::Pix);
        let changes = paid.chain([Change::Cob(cob)]).collect();
        self.commit(changes)?;
        Ok(pix)
    }

    /// Receives money that no charge of this bank asked for.
    pub(crate) fn receive(
        &mut self,
        chave: &str,
        txid: Option<String>,
        payment: Payment,
    ) -> Result<Pix, Refused> {
        if txid.as_deref().is_some_and(|txid| self.cobs.contains_key(txid)) {
            return Err(Refused::rule("txid", "this is the txid of a charge: pay the charge"));
        }
        let pix = payment.to(chave, txid);
        self.commit(vec![Change::Pix(pix.clone())])?;
        Ok(pix)
    }

    pub(crate) fn pix(&self, end_to_end_id: &str) -> Option<&Pix> {
        self.pix.get(end_to_end_id)
    }

    /// The payments that are asked for, oldest first.
    pub(crate) fn all_pix(&self, asked: impl Fn(&Pix) -> bool) -> Vec<Pix> {
        let mut found: Vec<Pix> = self.pix.values().filter(|pix| asked(pix)).cloned().collect();
        found.sort_by(|a, b| (a.horario, &a.end_to_end_id).cmp(&(b.horario, &b.end_to_end_id)));
        found
    }

    /// The present time, or the first moment after the charge's expiry.
    pub(crate) fn moment(&self, txid: &str, late: bool) -> Result<DateTime<Utc>, Refused> {
        let cob = self.cob(txid).ok_or(Refused::Unknown)?;
        let past_expiry = cob.expires() + chrono::TimeDelta::seconds(1);
        Ok(if late { past_expiry.max(now()) } else { now() })
    }
}
