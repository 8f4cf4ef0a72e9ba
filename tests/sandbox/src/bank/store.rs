//! The bank's records in memory, and their transactions.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    append_log::AppendLog,
    change::RecordChange,
    error::BankError,
    records::{charge::PixCharge, payment::PixPayment, webhook::Webhook},
};

/// All charges, payments and webhooks. The changes in the append-only log, applied in order, give
/// exactly this state.
#[derive(Default)]
pub(crate) struct FakeBank {
    /// Charges by txid.
    pub(super) charges: HashMap<String, PixCharge>,
    /// Payments by end-to-end id.
    pub(super) payments: HashMap<String, PixPayment>,
    /// The end-to-end ids of the payments of each txid, oldest first.
    pub(super) payments_by_txid: HashMap<String, Vec<String>>,
    /// Webhooks by Pix key.
    pub(super) webhooks: BTreeMap<String, Webhook>,
    log: Option<AppendLog>,
}

impl FakeBank {
    /// Opens the bank. Without a path, the records exist in memory only.
    ///
    /// # Errors
    /// When the append-only log cannot be read, or another process has locked it.
    pub(crate) fn open(log_path: Option<&Path>) -> anyhow::Result<Self> {
        let mut bank = Self::default();
        if let Some(path) = log_path {
            let (log, changes) = AppendLog::open(path)?;
            changes.into_iter().for_each(|change| bank.apply(change));
            bank.log = Some(log);
        }
        Ok(bank)
    }

    /// Makes all changes of one transaction, or none of them.
    pub(super) fn commit(&mut self, changes: Vec<RecordChange>) -> Result<(), BankError> {
        if let Some(log) = &mut self.log {
            log.append(&changes).map_err(BankError::LogWriteFailed)?;
        }
        changes.into_iter().for_each(|change| self.apply(change));
        Ok(())
    }

    fn apply(&mut self, change: RecordChange) {
        match change {
            RecordChange::Charge(charge) => {
                self.charges.insert(charge.txid.clone(), charge);
            }
            RecordChange::Payment(payment) => {
                let (id, txid) = (payment.end_to_end_id.clone(), payment.txid.clone());
                let is_known = self.payments.insert(id.clone(), payment).is_some();
                if let Some(txid) = txid.filter(|_| !is_known) {
                    self.payments_by_txid.entry(txid).or_default().push(id);
                }
            }
            RecordChange::Webhook(webhook) => {
                self.webhooks.insert(webhook.key.clone(), webhook);
            }
            RecordChange::WebhookRemoved(key) => {
                self.webhooks.remove(&key);
            }
        }
    }
}
