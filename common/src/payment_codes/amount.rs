//! The amount of a payment code.

use std::fmt;

use serde::{Serialize, Serializer};

use super::field_error::PayloadFieldError;
use crate::money::{Currency, Money};

/// The amount to pay: more than zero. In JSON a text with the currency: `"25.00 BRL"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount(Money);

impl Amount {
    /// The longest transaction amount of EMVCo MPM v1.1. The largest amount of EPC069-12,
    /// `999999999.99`, is shorter.
    const MAX_LENGTH: usize = 13;

    /// # Errors
    /// The amount is not more than zero, or its text has more than 13 characters.
    pub fn new(money: Money) -> Result<Self, PayloadFieldError> {
        let is_valid = money.minor() > 0 && money.amount().len() <= Self::MAX_LENGTH;
        if is_valid { Ok(Self(money)) } else { Err(PayloadFieldError::Amount { max: Self::MAX_LENGTH }) }
    }

    /// Reads `25.00`, by the rules of [`Money::parse`].
    ///
    /// # Errors
    /// Those of [`Money::parse`] and [`Amount::new`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, PayloadFieldError> {
        Self::new(Money::parse(text, currency)?)
    }

    #[must_use]
    pub fn money(self) -> Money {
        self.0
    }

    /// The text with all decimals: `25.00`. The amount must be in this currency.
    pub(super) fn to_text(self, currency: Currency) -> Result<String, PayloadFieldError> {
        if self.0.currency() == currency {
            Ok(self.0.amount())
        } else {
            Err(PayloadFieldError::Currency(currency))
        }
    }

    /// The text without `.00`: `25` for 25.00. Published payloads of some schemes have this form.
    pub(super) fn to_short_text(self, currency: Currency) -> Result<String, PayloadFieldError> {
        let text = self.to_text(currency)?;
        Ok(text.strip_suffix(".00").unwrap_or(&text).to_owned())
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Amount, Currency, PayloadFieldError};

    #[test]
    fn an_amount_is_more_than_zero_and_short_enough() {
        assert_eq!(Amount::parse("500", Currency::Sgd).unwrap().to_short_text(Currency::Sgd).unwrap(), "500");
        assert_eq!(
            Amount::parse("500.10", Currency::Sgd).unwrap().to_short_text(Currency::Sgd).unwrap(),
            "500.10"
        );
        assert!(Amount::parse("9999999999.99", Currency::Brl).is_ok());
        for invalid in ["0", "0.00", "10000000000.00"] {
            assert_eq!(
                Amount::parse(invalid, Currency::Brl),
                Err(PayloadFieldError::Amount { max: 13 }),
                "{invalid}"
            );
        }
        let yuan = Amount::parse("1", Currency::Cny).unwrap();
        assert_eq!(yuan.to_text(Currency::Hkd), Err(PayloadFieldError::Currency(Currency::Hkd)));
    }
}
