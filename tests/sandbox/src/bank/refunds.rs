//! Operations on refunds.

use super::{
    change::RecordChange,
    error::BankError,
    identifiers::random_id,
    records::{
        payment::PixPayment,
        refund::{PixRefund, RefundKind, RefundStatus},
    },
    store::FakeBank,
};
use crate::money::Cents;

impl FakeBank {
    /// Starts a refund. Returns the refund, and whether it is new: a repeated request returns the existing one.
    pub(crate) fn start_refund(
        &mut self,
        end_to_end_id: &str,
        id: &str,
        amount: Cents,
    ) -> Result<(PixRefund, bool), BankError> {
        let mut payment = self.payment(end_to_end_id).ok_or(BankError::NotFound)?.clone();
        match payment.refund(id) {
            Some(refund) if refund.amount == amount => return Ok((refund.clone(), false)),
            Some(_) => {
                return Err(BankError::rule_violated("id", "a refund with this id has another amount"));
            }
            None if amount.0 > payment.refundable_cents() => {
                return Err(BankError::rule_violated(
                    "valor",
                    "the refunds exceed the amount of the payment",
                ));
            }
            None => {}
        }
        let refund = PixRefund::new(id.to_owned(), amount, RefundKind::Requested);
        payment.refunds.push(refund.clone());
        self.commit(vec![RecordChange::Payment(payment)])?;
        Ok((refund, true))
    }

    /// Sets the final status of a refund that is being processed.
    pub(crate) fn complete_refund(
        &mut self,
        end_to_end_id: &str,
        id: &str,
        status: RefundStatus,
    ) -> Result<(), BankError> {
        let mut payment = self.payment(end_to_end_id).ok_or(BankError::NotFound)?.clone();
        let refund = payment.refunds.iter_mut().find(|refund| refund.id == id).ok_or(BankError::NotFound)?;
        if refund.status != RefundStatus::Processing {
            return Ok(());
        }
        refund.complete(status);
        self.commit(vec![RecordChange::Payment(payment)])
    }

    /// Reverses a payment: the payer's bank takes back the given amount, or the rest of the payment.
    pub(crate) fn reverse_payment(
        &mut self,
        end_to_end_id: &str,
        amount: Option<Cents>,
    ) -> Result<PixPayment, BankError> {
        let mut payment = self.payment(end_to_end_id).ok_or(BankError::NotFound)?.clone();
        let refundable = Cents(payment.refundable_cents());
        let amount = amount.unwrap_or(refundable);
        if amount.0 == 0 || amount > refundable {
            return Err(BankError::rule_violated("amount", format!("only {refundable} can be reversed")));
        }
        let mut refund = PixRefund::new(random_id(32), amount, RefundKind::FraudReversal);
        refund.complete(RefundStatus::Refunded);
        payment.refunds.push(refund);
        self.commit(vec![RecordChange::Payment(payment.clone())])?;
        Ok(payment)
    }

    /// Returns the end-to-end id and the id of each refund that is being processed.
    pub(crate) fn processing_refunds(&self) -> Vec<(String, String)> {
        let is_processing = |refund: &&PixRefund| refund.status == RefundStatus::Processing;
        let refunds = self.payments.values().flat_map(|payment| {
            let refunds = payment.refunds.iter().filter(is_processing);
            refunds.map(|refund| (payment.end_to_end_id.clone(), refund.id.clone()))
        });
        refunds.collect()
    }
}
