//! Limits and IDs of data objects (EMVCo MPM v1.1).

use std::ops::RangeInclusive;

/// The largest payload in bytes. EMVCo allows 512 characters, and fewer if characters have several
/// bytes, so this limit counts bytes.
pub const MAX_PAYLOAD_BYTES: usize = 512;

/// The longest value of a data object in characters. The length has two digits.
pub(super) const MAX_VALUE_LENGTH: usize = 99;

/// Payload format indicator: always `01`.
pub const PAYLOAD_FORMAT: u8 = 0;

/// Point of initiation method: `11` static, `12` dynamic.
pub const POINT_OF_INITIATION: u8 = 1;

/// Merchant account information: the templates with the payee's account.
pub const MERCHANT_ACCOUNTS: RangeInclusive<u8> = 26..=51;

/// Merchant category code (ISO 18245). `0000` is no category.
pub const MERCHANT_CATEGORY: u8 = 52;

/// Transaction currency: the number of ISO 4217.
pub const CURRENCY: u8 = 53;

/// Transaction amount.
pub const TRANSACTION_AMOUNT: u8 = 54;

/// Country code (ISO 3166-1 alpha-2).
pub const COUNTRY: u8 = 58;

/// Merchant name.
pub const MERCHANT_NAME: u8 = 59;

/// Merchant city.
pub const MERCHANT_CITY: u8 = 60;

/// Postal code.
pub(super) const POSTAL_CODE: u8 = 61;

/// Additional data field template.
pub const ADDITIONAL_DATA: u8 = 62;

/// CRC of the payload: always the last data object.
pub(super) const CRC: u8 = 63;

/// Merchant information in another language: a template.
pub(super) const LANGUAGE_TEMPLATE: u8 = 64;

/// Unreserved templates. Their globally unique identifier names their owner.
pub const UNRESERVED: RangeInclusive<u8> = 80..=99;

/// Globally unique identifier: the first data object in a template of a scheme.
pub const GLOBALLY_UNIQUE_ID: u8 = 0;

/// Bill number in the additional data.
pub const BILL_NUMBER: u8 = 1;

/// Reference label in the additional data.
pub const REFERENCE_LABEL: u8 = 5;

/// Terminal label in the additional data.
pub const TERMINAL_LABEL: u8 = 7;

/// Purpose of the transaction in the additional data.
pub const PURPOSE: u8 = 8;

/// Whether the data object at this path is a template. Schemes define the deeper data objects in
/// merchant account templates, so those are texts here.
pub(super) fn is_template(path: &[u8]) -> bool {
    match path {
        [ADDITIONAL_DATA | LANGUAGE_TEMPLATE] => true,
        [id] => MERCHANT_ACCOUNTS.contains(id) || UNRESERVED.contains(id),
        [ADDITIONAL_DATA, id] => (50..=99).contains(id),
        _ => false,
    }
}
