//! Operations on charges.

use uuid::Uuid;

use super::{
    change::RecordChange,
    error::BankError,
    identifiers::now,
    records::{
        charge::{ChargeStatus, ChargeTerms, PixCharge},
        payment::PixPayment,
    },
    store::FakeBank,
};
use crate::{br_code, config::Config};

impl FakeBank {
    /// Creates a charge. A repeated request with the same terms returns the existing charge.
    pub(crate) fn create_charge(
        &mut self,
        txid: &str,
        terms: ChargeTerms,
        config: &Config,
    ) -> Result<PixCharge, BankError> {
        if let Some(charge) = self.charges.get(txid) {
            return match charge.terms == terms {
                true => Ok(charge.clone()),
                false => Err(BankError::rule_violated("txid", "another charge has this txid")),
            };
        }
        if self.payments_by_txid.contains_key(txid) {
            return Err(BankError::rule_violated("txid", "a payment without a charge has this txid"));
        }
        let location = format!("{}/{}", config.location, Uuid::new_v4().simple());
        let charge = PixCharge {
            txid: txid.to_owned(),
            created_at: now(),
            revision: 0,
            location_id: self.charges.len() as u64 + 1,
            br_code: br_code::encode(&location, &config.receiver_name, &config.receiver_city),
            location,
            status: ChargeStatus::Active,
            terms,
        };
        self.commit(vec![RecordChange::Charge(charge.clone())])?;
        Ok(charge)
    }

    /// Changes or removes a charge that is not paid yet.
    pub(crate) fn revise_charge(
        &mut self,
        txid: &str,
        terms: ChargeTerms,
        remove: bool,
    ) -> Result<PixCharge, BankError> {
        let mut charge = self.charge(txid).ok_or(BankError::NotFound)?.clone();
        if charge.status != ChargeStatus::Active {
            return Err(BankError::rule_violated("status", "the charge is not ATIVA"));
        }
        charge.terms = terms;
        charge.revision += 1;
        if remove {
            charge.status = ChargeStatus::RemovedByReceiver;
        }
        self.commit(vec![RecordChange::Charge(charge.clone())])?;
        Ok(charge)
    }

    pub(crate) fn charge(&self, txid: &str) -> Option<&PixCharge> {
        self.charges.get(txid)
    }

    /// Returns the charge whose QR code has this location.
    pub(crate) fn charge_at_location(&self, location: &str) -> Option<&PixCharge> {
        self.charges.values().find(|charge| charge.location == location)
    }

    /// Returns the charges that match a filter, oldest first.
    pub(crate) fn find_charges(&self, matches: impl Fn(&PixCharge) -> bool) -> Vec<PixCharge> {
        let mut found: Vec<PixCharge> =
            self.charges.values().filter(|charge| matches(charge)).cloned().collect();
        found.sort_by_key(|charge| (charge.created_at, charge.location_id));
        found
    }

    /// Returns the payments of a charge, oldest first.
    pub(crate) fn payments_of_charge(&self, txid: &str) -> Vec<PixPayment> {
        let ids = self.payments_by_txid.get(txid).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.payments.get(id)).cloned().collect()
    }
}
