//! Payment QR codes: the payloads of the instant payment schemes, and their images.
//!
//! Everything here is pure. No bank is asked, so a valid payload may still name an account that does not exist.
//!
//! Sources: EMVCo QR Code Specification for Payment Systems, Merchant-Presented Mode, v1.1; EPC069-12;
//! the rules of each scheme are named in its file.

pub mod emv;
pub mod epc;
mod error;
mod field;
pub mod fps;
mod payload;
pub mod paynow;
pub mod pix;
pub mod promptpay;
mod qr;
mod reading;
mod scheme;
pub mod vietqr;

pub use self::{
    error::PayloadError,
    field::{
        Amount, BillNumber, FieldError, MerchantCity, MerchantName, Purpose, ReferenceLabel, TerminalLabel,
    },
    payload::{Other, Payload},
    qr::{Qr, QrError},
    reading::{Fields, Initiation, Reading},
    scheme::{Scheme, UnknownScheme},
};
