//! Payment QR codes: the payloads of instant payment schemes, and their images.
//!
//! This module does no input or output. A valid payload can name an account that does not exist.
//! Begin with [`PaymentCode`].
//!
//! Sources: EMVCo, QR Code Specification for Payment Systems, Merchant-Presented Mode (MPM), v1.1; European
//! Payments Council, EPC069-12. The file of each scheme names the source of its own rules.

mod amount;
mod checks;
pub mod emv;
mod emv_fields;
pub mod epc;
mod field_error;
pub mod fps;
mod initiation;
mod merchant;
mod payload_error;
mod payment_code;
pub mod paynow;
pub mod pix;
pub mod promptpay;
mod qr_code;
mod scheme;
mod scheme_payload;
pub mod vietqr;

pub use self::{
    amount::Amount,
    field_error::PayloadFieldError,
    initiation::InitiationMethod,
    merchant::{BillNumber, MerchantCity, MerchantName, Purpose, ReferenceLabel, TerminalLabel},
    payload_error::PayloadError,
    payment_code::PaymentCode,
    qr_code::{Qr, QrError},
    scheme::{Scheme, UnknownSchemeError},
    scheme_payload::{SchemeFields, SchemePayload},
};
