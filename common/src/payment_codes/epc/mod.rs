//! SEPA credit transfers: payloads of 12 lines by EPC069-12.
//!
//! Source: European Payments Council, EPC069-12, Quick Response Code: Guidelines to Enable Data
//! Capture for the Initiation of a SEPA Credit Transfer, version 2.1.

mod credit_transfer;
mod identifiers;
mod lines;
#[cfg(test)]
mod tests;

pub use self::{
    credit_transfer::{
        BeneficiaryBank, BeneficiaryName, CharacterSet, CreditTransfer, OriginatorInformation, PurposeCode,
        Remittance, RemittanceText,
    },
    identifiers::{Bic, CreditorReference, Iban},
};
