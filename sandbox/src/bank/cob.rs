//! Charges: cobranças imediatas.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Bank, Change, Pessoa, Pix, Refused, now};
use crate::{br_code, config::Config, money::Cents};

/// What the receiver asks for, in the standard's own form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pedido {
    pub(crate) calendario: Calendario,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) devedor: Option<Pessoa>,
    pub(crate) valor: Valor,
    pub(crate) chave: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) solicitacao_pagador: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Calendario {
    /// Seconds from the creation.
    pub(crate) expiracao: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Valor {
    pub(crate) original: Cents,
}

/// That a charge is past its time is not a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Status {
    Ativa,
    Concluida,
    RemovidaPeloUsuarioRecebedor,
    RemovidaPeloPsp,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Cob {
    pub(crate) txid: String,
    pub(crate) criacao: DateTime<Utc>,
    pub(crate) revisao: u32,
    pub(crate) loc: u64,
    /// The URL, without scheme, that the QR code holds.
    pub(crate) location: String,
    pub(crate) br_code: String,
    pub(crate) status: Status,
    pub(crate) pedido: Pedido,
}

impl Cob {
    pub(crate) fn expires(&self) -> DateTime<Utc> {
        self.criacao + TimeDelta::seconds(self.pedido.calendario.expiracao.into())
    }

    /// As `GET /cob/{txid}` tells it, with what was received for it.
    pub(crate) fn view(&self, received: &[Pix]) -> Value {
        let mut view = json!(self.pedido);
        view["calendario"]["criacao"] = json!(self.criacao);
        view["txid"] = json!(self.txid);
        view["revisao"] = json!(self.revisao);
        view["status"] = json!(self.status);
        view["location"] = json!(self.location);
        view["loc"] = json!({
            "id": self.loc, "location": self.location, "tipoCob": "cob", "criacao": self.criacao
        });
        view["pixCopiaECola"] = json!(self.br_code);
        if !received.is_empty() {
            view["pix"] = json!(received);
        }
        view
    }
}

impl Bank {
    /// Makes a charge. The same again answers the charge that is there.
    pub(crate) fn create(&mut self, txid: &str, pedido: Pedido, config: &Config) -> Result<Cob, Refused> {
        if let Some(cob) = self.cobs.get(txid) {
            return match cob.pedido == pedido {
                true => Ok(cob.clone()),
                false => Err(Refused::rule("txid", "já existe uma cobrança com este txid")),
            };
        }
        if self.received.contains_key(txid) {
            return Err(Refused::rule("txid", "já existe um Pix com este txid"));
        }
        let location = format!("{}/{}", config.location, Uuid::new_v4().simple());
        let cob = Cob {
            txid: txid.to_owned(),
            criacao: now(),
            revisao: 0,
            loc: self.cobs.len() as u64 + 1,
            br_code: br_code::write(&location, &config.receiver_name, &config.receiver_city),
            location,
            status: Status::Ativa,
            pedido,
        };
        self.commit(vec![Change::Cob(cob.clone())])?;
        Ok(cob)
    }

    /// Changes a charge that nobody has paid, or removes it.
    pub(crate) fn revise(&mut self, txid: &str, pedido: Pedido, remove: bool) -> Result<Cob, Refused> {
        let mut cob = self.cob(txid).ok_or(Refused::Unknown)?.clone();
        if cob.status != Status::Ativa {
            return Err(Refused::rule("status", "a cobrança não está ATIVA"));
        }
        cob.pedido = pedido;
        cob.revisao += 1;
        if remove {
            cob.status = Status::RemovidaPeloUsuarioRecebedor;
        }
        self.commit(vec![Change::Cob(cob.clone())])?;
        Ok(cob)
    }

    pub(crate) fn cob(&self, txid: &str) -> Option<&Cob> {
        self.cobs.get(txid)
    }

    /// The charge of a QR code.
    pub(crate) fn cob_at(&self, location: &str) -> Option<&Cob> {
        self.cobs.values().find(|cob| cob.location == location)
    }

    /// The charges that are asked for, oldest first.
    pub(crate) fn cobs(&self, asked: impl Fn(&Cob) -> bool) -> Vec<Cob> {
        let mut found: Vec<Cob> = self.cobs.values().filter(|cob| asked(cob)).cloned().collect();
        found.sort_by_key(|cob| (cob.criacao, cob.loc));
        found
    }

    /// What was received for a charge, oldest first.
    pub(crate) fn received_for(&self, txid: &str) -> Vec<Pix> {
        let ids = self.received.get(txid).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.pix.get(id)).cloned().collect()
    }
}
