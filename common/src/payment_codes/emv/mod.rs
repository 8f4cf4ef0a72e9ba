//! EMV payloads of any scheme: EMVCo QR Code Specification for Payment Systems, Merchant-Presented Mode, v1.1.
//!
//! A payload is a list of data objects. Each has a two-digit ID, a two-digit length in characters, and a
//! value. The value of a template is again a list of data objects. The order of the data objects is kept,
//! so a parsed payload encodes to the same bytes.

mod error;
mod format;
mod payload;
mod rules;
mod template;
#[cfg(test)]
mod tests;

pub use self::{
    error::{DataObjectPath, EmvError, EmvRuleViolation},
    format::{
        ADDITIONAL_DATA, BILL_NUMBER, COUNTRY, CURRENCY, GLOBALLY_UNIQUE_ID, MAX_PAYLOAD_BYTES,
        MERCHANT_ACCOUNTS, MERCHANT_CATEGORY, MERCHANT_CITY, MERCHANT_NAME, PAYLOAD_FORMAT,
        POINT_OF_INITIATION, PURPOSE, REFERENCE_LABEL, TERMINAL_LABEL, TRANSACTION_AMOUNT, UNRESERVED,
    },
    payload::EmvPayload,
    template::{DataObjectValue, Template},
};
