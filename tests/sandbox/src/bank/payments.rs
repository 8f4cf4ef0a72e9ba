//! Operations on received payments.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    change::RecordChange,
    error::BankError,
    identifiers::now,
    records::{
        charge::ChargeStatus,
        payment::{PaymentOrder, PixPayment},
    },
    store::FakeBank,
};

impl FakeBank {
    /// Pays a charge, once per order, and completes the charge. Any amount is accepted: a real bank refuses
    /// wrong amounts, but the receiver's software must handle them.
    pub(crate) fn pay_charge(
        &mut self,
        txid: &str,
        orders: Vec<PaymentOrder>,
    ) -> Result<Vec<PixPayment>, BankError> {
        let mut charge = self.charge(txid).ok_or(BankError::NotFound)?.clone();
        if !matches!(charge.status, ChargeStatus::Active | ChargeStatus::Paid) {
            return Err(BankError::rule_violated("status", "the charge was removed"));
        }
        charge.status = ChargeStatus::Paid;
        let key = &charge.terms.key;
        let payments: Vec<PixPayment> =
            orders.into_iter().map(|order| order.into_payment(key, Some(txid.to_owned()))).collect();
        let changes = payments
            .iter()
            .cloned()
            .map(RecordChange::Payment)
            .chain([RecordChange::Charge(charge)])
            .collect();
        self.commit(changes)?;
        Ok(payments)
    }

    /// Receives a payment that belongs to no charge.
    pub(crate) fn receive_payment(
        &mut self,
        key: &str,
        txid: Option<String>,
        order: PaymentOrder,
    ) -> Result<PixPayment, BankError> {
        if txid.as_deref().is_some_and(|txid| self.charges.contains_key(txid)) {
            return Err(BankError::rule_violated("txid", "a charge has this txid; pay the charge instead"));
        }
        let payment = order.into_payment(key, txid);
        self.commit(vec![RecordChange::Payment(payment.clone())])?;
        Ok(payment)
    }

    pub(crate) fn payment(&self, end_to_end_id: &str) -> Option<&PixPayment> {
        self.payments.get(end_to_end_id)
    }

    /// Returns the payments that match a filter, oldest first.
    pub(crate) fn find_payments(&self, matches: impl Fn(&PixPayment) -> bool) -> Vec<PixPayment> {
        let mut found: Vec<PixPayment> =
            self.payments.values().filter(|payment| matches(payment)).cloned().collect();
        found.sort_by(|a, b| (a.paid_at, &a.end_to_end_id).cmp(&(b.paid_at, &b.end_to_end_id)));
        found
    }

    /// Returns the time of a new payment: now, or for a late one at least a second after the charge's expiry.
    pub(crate) fn payment_time(&self, txid: &str, is_late: bool) -> Result<DateTime<Utc>, BankError> {
        let charge = self.charge(txid).ok_or(BankError::NotFound)?;
        let after_expiry = charge.expires_at() + TimeDelta::seconds(1);
        Ok(if is_late { after_expiry.max(now()) } else { now() })
    }
}
