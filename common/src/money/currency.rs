//! Currencies, and the error of a text that is no amount in one of them.

use std::{fmt, str::FromStr};

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// A currency of ISO 4217. In JSON its code: `"BRL"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "UPPERCASE")]
#[serde(rename_all = "UPPERCASE")]
#[sqlx(type_name = "text", rename_all = "UPPERCASE")]
pub enum Currency {
    Brl,
    Cny,
    Eur,
    Hkd,
    Sgd,
    Thb,
    Usd,
    Vnd,
}

impl Currency {
    pub const ALL: [Self; 8] =
        [Self::Brl, Self::Cny, Self::Eur, Self::Hkd, Self::Sgd, Self::Thb, Self::Usd, Self::Vnd];

    /// The code of ISO 4217: three capital letters.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Brl => "BRL",
            Self::Cny => "CNY",
            Self::Eur => "EUR",
            Self::Hkd => "HKD",
            Self::Sgd => "SGD",
            Self::Thb => "THB",
            Self::Usd => "USD",
            Self::Vnd => "VND",
        }
    }

    /// The number of ISO 4217. Written with three digits.
    #[must_use]
    pub fn numeric(self) -> u16 {
        match self {
            Self::Brl => 986,
            Self::Cny => 156,
            Self::Eur => 978,
            Self::Hkd => 344,
            Self::Sgd => 702,
            Self::Thb => 764,
            Self::Usd => 840,
            Self::Vnd => 704,
        }
    }

    /// The number of decimals (ISO 4217). With 2, the minor unit is a hundredth.
    #[must_use]
    pub fn exponent(self) -> u32 {
        match self {
            Self::Vnd => 0,
            Self::Brl | Self::Cny | Self::Eur | Self::Hkd | Self::Sgd | Self::Thb | Self::Usd => 2,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    /// Reads the code in capital letters only.
    fn from_str(code: &str) -> Result<Self, MoneyError> {
        Self::ALL.into_iter().find(|currency| currency.code() == code).ok_or(MoneyError::Currency)
    }
}

/// A text is not a valid amount or currency. The error text follows the name of the field:
/// `the amount must be digits …`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("must be one of BRL, CNY, EUR, HKD, SGD, THB, USD, VND")]
    Currency,
    #[error("must be digits with at most one decimal point between them")]
    Format,
    #[error("must have at most {decimals} decimals in {0}", decimals = .0.exponent())]
    Decimals(Currency),
    #[error("must be at most {} minor units", i64::MAX)]
    Overflow,
}

#[cfg(test)]
mod tests {
    use super::{Currency, MoneyError};

    #[test]
    fn a_currency_is_its_code_in_text_and_json() {
        for currency in Currency::ALL {
            assert_eq!(currency.code().parse(), Ok(currency));
            assert_eq!(serde_json::to_value(currency).unwrap(), currency.code());
            assert!(MoneyError::Currency.to_string().contains(currency.code()));
        }
        assert_eq!("brl".parse::<Currency>(), Err(MoneyError::Currency));
    }
}
