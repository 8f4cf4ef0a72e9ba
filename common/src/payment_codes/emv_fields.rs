//! Reading and writing fields that the EMV schemes share.

use std::str::FromStr;

use super::{
    amount::Amount,
    emv::{COUNTRY, CURRENCY, EmvPayload, TRANSACTION_AMOUNT},
    field_error::PayloadFieldError,
    payload_error::PayloadError,
    scheme::Scheme,
};

impl EmvPayload {
    /// The field at a path of IDs. `None` if there is no such data object.
    pub(super) fn optional<T>(&self, path: &[u8]) -> Result<Option<T>, PayloadError>
    where
        T: FromStr<Err = PayloadFieldError>,
    {
        self.text(path)
            .map(|text| text.parse().map_err(|error: PayloadFieldError| error.at(path)))
            .transpose()
    }

    /// The field at a path of IDs.
    pub(super) fn required<T>(&self, path: &[u8]) -> Result<T, PayloadError>
    where
        T: FromStr<Err = PayloadFieldError>,
    {
        self.optional(path)?.ok_or_else(|| PayloadFieldError::Missing.at(path))
    }

    /// The text at a path of IDs.
    pub(super) fn required_text(&self, path: &[u8]) -> Result<&str, PayloadError> {
        self.text(path).ok_or_else(|| PayloadFieldError::Missing.at(path))
    }

    /// Requires this value at a path of IDs.
    pub(super) fn check_value(&self, path: &[u8], value: &'static str) -> Result<(), PayloadError> {
        if self.required_text(path)? == value {
            Ok(())
        } else {
            Err(PayloadFieldError::Format(value).at(path))
        }
    }

    /// Requires the currency of the scheme and a country. Reads the transaction amount.
    pub(super) fn amount(
        &self,
        scheme: Scheme,
        country: &'static str,
    ) -> Result<Option<Amount>, PayloadError> {
        let currency = scheme.currency();
        if self.text(&[CURRENCY]) != Some(&currency_code(scheme)) {
            return Err(PayloadFieldError::Currency(currency).at(&[CURRENCY]));
        }
        self.check_value(&[COUNTRY], country)?;
        // EMVCo MPM v1.1 allows a decimal point at the end of a whole amount.
        let text = self.text(&[TRANSACTION_AMOUNT]).map(|text| text.strip_suffix('.').unwrap_or(text));
        let amount = text.map(|text| Amount::parse(text, currency)).transpose();
        amount.map_err(|error| error.at(&[TRANSACTION_AMOUNT]))
    }
}

/// The transaction currency of a scheme: the number of ISO 4217, three digits.
pub(super) fn currency_code(scheme: Scheme) -> String {
    format!("{:03}", scheme.currency().numeric())
}

/// The transaction amount with all decimals.
pub(super) fn amount_text(amount: Option<Amount>, scheme: Scheme) -> Result<Option<String>, PayloadError> {
    let text = amount.map(|amount| amount.to_text(scheme.currency())).transpose();
    text.map_err(|error| error.at(&[TRANSACTION_AMOUNT]))
}

/// The transaction amount without `.00`, as in the published payloads of some schemes.
pub(super) fn short_amount_text(
    amount: Option<Amount>,
    scheme: Scheme,
) -> Result<Option<String>, PayloadError> {
    let text = amount.map(|amount| amount.to_short_text(scheme.currency())).transpose();
    text.map_err(|error| error.at(&[TRANSACTION_AMOUNT]))
}
