//! What the bank knows, and the rules by which it changes. Knows no HTTP.

mod cob;
mod devolucao;
mod journal;
mod pix;

use std::{
    collections::{BTreeMap, HashMap},
    io,
    ops::RangeInclusive,
    path::Path,
};

use chrono::{DateTime, SubsecRound, Utc};
use rand::distr::{Alphanumeric, SampleString};
use serde::{Deserialize, Serialize};

use self::journal::Journal;
pub(crate) use self::{
    cob::{Calendario, Cob, Pedido, Status, Valor},
    devolucao::{Devolucao, DevolucaoStatus},
    pix::{Payment, Pessoa, Pix},
};

/// Why the bank does not do something.
#[derive(Debug)]
pub(crate) enum Refused {
    /// There is no such thing.
    Unknown,
    /// A rule says no: the reason, and the property that it is about.
    Rule { razao: String, propriedade: &'static str },
    /// The journal could not be written; nothing has changed.
    Journal(io::Error),
}

impl Refused {
    fn rule(propriedade: &'static str, razao: impl Into<String>) -> Self {
        Self::Rule { razao: razao.into(), propriedade }
    }
}

/// Where the notifications of one key go.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Webhook {
    pub(crate) webhook_url: String,
    pub(crate) chave: String,
    pub(crate) criacao: DateTime<Utc>,
}

/// A record as it is from now on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    Cob(Cob),
    Pix(Pix),
    Webhook(Webhook),
    WebhookRemoved(String),
}

/// All charges, payments and webhooks. What it knows is exactly what the
/// journal's changes, applied one after the other, leave behind.
pub(crate) struct Bank {
    /// By txid.
    cobs: HashMap<String, Cob>,
    /// By end-to-end id.
    pix: HashMap<String, Pix>,
    /// The end-to-end ids of each txid, oldest first.
    received: HashMap<String, Vec<String>>,
    /// By key.
    webhooks: BTreeMap<String, Webhook>,
    journal: Option<Journal>,
}

impl Bank {
    /// # Errors
    /// When the journal cannot be read, or another process writes it.
    pub(crate) fn open(journal: Option<&Path>) -> anyhow::Result<Self> {
        let mut bank = Self {
            cobs: HashMap::new(),
            pix: HashMap::new(),
            received: HashMap::new(),
            webhooks: BTreeMap::new(),
            journal: None,
        };
        if let Some(path) = journal {
            let (journal, changes) = Journal::open(path)?;
            changes.into_iter().for_each(|change| bank.apply(change));
            bank.journal = Some(journal);
        }
        Ok(bank)
    }

    /// Makes changes that belong together: all of them or none.
    fn commit(&mut self, changes: Vec<Change>) -> Result<(), Refused> {
        if let Some(journal) = &mut self.journal {
            journal.append(&changes).map_err(Refused::Journal)?;
        }
        changes.into_iter().for_each(|change| self.apply(change));
        Ok(())
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Cob(cob) => {
                self.cobs.insert(cob.txid.clone(), cob);
            }
            Change::Pix(pix) => {
                let (id, txid) = (pix.end_to_end_id.clone(), pix.txid.clone());
                let known = self.pix.insert(id.clone(), pix).is_some();
                if let Some(txid) = txid.filter(|_| !known) {
                    self.received.entry(txid).or_default().push(id);
                }
            }
            Change::Webhook(webhook) => {
                self.webhooks.insert(webhook.chave.clone(), webhook);
            }
            Change::WebhookRemoved(chave) => {
                self.webhooks.remove(&chave);
            }
        }
    }

    pub(crate) fn register(&mut self, chave: &str, webhook_url: &str) -> Result<Webhook, Refused> {
        let webhook =
            Webhook { webhook_url: webhook_url.to_owned(), chave: chave.to_owned(), criacao: now() };
        self.commit(vec![Change::Webhook(webhook.clone())])?;
        Ok(webhook)
    }

    pub(crate) fn unregister(&mut self, chave: &str) -> Result<(), Refused> {
        self.webhook(chave).ok_or(Refused::Unknown)?;
        self.commit(vec![Change::WebhookRemoved(chave.to_owned())])
    }

    pub(crate) fn webhook(&self, chave: &str) -> Option<&Webhook> {
        self.webhooks.get(chave)
    }

    pub(crate) fn webhooks(&self) -> impl Iterator<Item = &Webhook> {
        self.webhooks.values()
    }
}

/// The time, in the precision that is told to others.
pub(crate) fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(3)
}

/// Whether it is of so many letters and digits, as the standard's identifiers are.
pub(crate) fn is_id(text: &str, lengths: RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Letters and digits that nobody else has.
pub(crate) fn random(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}
