//! Single fields of a payload: values that are right once they exist.

use std::fmt;

use serde::{Serialize, Serializer};
use unicode_normalization::UnicodeNormalization;

use crate::money::{Currency, Money, MoneyError};

/// What is wrong with one field. It reads after the field's place: `26.01 has wrong check digits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("is missing")]
    Missing,
    #[error("must have {min} to {max} characters")]
    Length { min: usize, max: usize },
    #[error("must be {0}")]
    Form(&'static str),
    #[error("has wrong check digits")]
    CheckDigits,
    #[error("must be more than zero and have at most {max} characters")]
    Amount { max: usize },
    #[error("must be in {0}")]
    Currency(Currency),
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Declares texts that only a check lets into being: `Name: check`, where the check is
/// a function from `&str` to `Result<(), FieldError>`.
macro_rules! checked_texts {
    ($($(#[$meta:meta])* $name:ident: $check:expr;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
        pub struct $name(String);

        impl $name {
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::payment_codes::FieldError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}
pub(super) use checked_texts;

checked_texts! {
    /// Whom the payer's app shows: 1 to 25 characters.
    MerchantName: line::<25>;
    /// 1 to 15 characters.
    MerchantCity: line::<15>;
    /// The number of an invoice or order: 1 to 25 characters.
    BillNumber: line::<25>;
    /// What a payment is told apart by: 1 to 25 characters.
    ReferenceLabel: line::<25>;
    /// The counter or till that asks: 1 to 25 characters.
    TerminalLabel: line::<25>;
    /// What the payment is for: 1 to 25 characters.
    Purpose: line::<25>;
}

impl MerchantName {
    /// Any name made fit for a scheme of plain letters: `São João` becomes `Sao Joao`, the 26th character goes.
    ///
    /// # Errors
    /// No letter of it has a plain form.
    pub fn folded(text: &str) -> Result<Self, FieldError> {
        folded(text, 25).parse()
    }
}

impl MerchantCity {
    /// Any city made fit for a scheme of plain letters, at most 15 of them.
    ///
    /// # Errors
    /// No letter of it has a plain form.
    pub fn folded(text: &str) -> Result<Self, FieldError> {
        folded(text, 15).parse()
    }
}

/// Decomposes letters (NFD), keeps printable ASCII, and cuts.
fn folded(text: &str, max: usize) -> String {
    let plain: String = text.nfd().filter(|char| matches!(char, ' '..='~')).collect();
    let cut: String = plain.trim().chars().take(max).collect();
    cut.trim_end().to_owned()
}

/// One line of free text: 1 to `MAX` characters, none of them a control character.
pub(super) fn line<const MAX: usize>(text: &str) -> Result<(), FieldError> {
    length(text, 1, MAX)?;
    form(!text.chars().any(char::is_control), "one line without control characters")
}

pub(super) fn length(text: &str, min: usize, max: usize) -> Result<(), FieldError> {
    let fits = (min..=max).contains(&text.chars().count());
    if fits { Ok(()) } else { Err(FieldError::Length { min, max }) }
}

/// The field must be what `description` says, and `is` tells whether it is.
pub(super) fn form(is: bool, description: &'static str) -> Result<(), FieldError> {
    if is { Ok(()) } else { Err(FieldError::Form(description)) }
}

/// As many ASCII digits as said.
pub(super) fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> bool {
    count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the shape of an e-mail address; only a letter to it would tell more.
pub(super) fn is_email(text: &str) -> bool {
    let parts = text.split_once('@');
    let parted =
        parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    parted && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// What is to be paid: more than zero. In JSON as it is displayed: `"25.00 BRL"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount(Money);

impl Amount {
    /// EMVCo MPM v1.1 gives the amount 13 characters; `999999999.99` of EPC069-12 has 12.
    const MAX: usize = 13;

    /// # Errors
    /// It is not more than zero, or longer than 13 characters.
    pub fn new(money: Money) -> Result<Self, FieldError> {
        let fits = money.minor() > 0 && money.amount().len() <= Self::MAX;
        if fits { Ok(Self(money)) } else { Err(FieldError::Amount { max: Self::MAX }) }
    }

    /// Reads `25.00`, by the rules of [`Money::parse`].
    ///
    /// # Errors
    /// Those of [`Money::parse`] and [`Amount::new`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, FieldError> {
        Self::new(Money::parse(text, currency)?)
    }

    #[must_use]
    pub fn money(self) -> Money {
        self.0
    }

    /// `25.00`, when it is of this currency.
    pub(super) fn full(self, currency: Currency) -> Result<String, FieldError> {
        if self.0.currency() == currency { Ok(self.0.amount()) } else { Err(FieldError::Currency(currency)) }
    }

    /// `25` for 25.00, as the published payloads of some schemes have it.
    pub(super) fn short(self, currency: Currency) -> Result<String, FieldError> {
        let full = self.full(currency)?;
        Ok(full.strip_suffix(".00").unwrap_or(&full).to_owned())
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
    use super::{Amount, FieldError, MerchantCity, MerchantName};
    use crate::money::Currency;

    #[test]
    fn folding_keeps_plain_letters_and_cuts() {
        for (text, plain) in [
            ("Padaria São João & Irmãos Ltda", "Padaria Sao Joao & Irmaos"),
            ("  Ünïcode\n", "Unicode"),
            ("最佳 transport", "transport"),
            ("Café number twenty-five à gauche", "Cafe number twenty-five a"),
        ] {
            assert_eq!(MerchantName::folded(text).unwrap().as_str(), plain);
        }
        assert_eq!(MerchantCity::folded("São João del Rei").unwrap().as_str(), "Sao Joao del Re");
        assert_eq!(MerchantName::folded("最佳"), Err(FieldError::Length { min: 1, max: 25 }));
    }

    #[test]
    fn names_are_one_line_of_bounded_length() {
        assert!("é".repeat(25).parse::<MerchantName>().is_ok());
        for bad in ["", "é".repeat(26).as_str(), "a\nb", "a\u{0}"] {
            assert!(bad.parse::<MerchantName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_amount_is_something_and_fits() {
        assert_eq!(Amount::parse("500", Currency::Sgd).unwrap().short(Currency::Sgd).unwrap(), "500");
        assert_eq!(Amount::parse("500.10", Currency::Sgd).unwrap().short(Currency::Sgd).unwrap(), "500.10");
        assert!(Amount::parse("9999999999.99", Currency::Brl).is_ok());
        for bad in ["0", "0.00", "10000000000.00"] {
            assert_eq!(Amount::parse(bad, Currency::Brl), Err(FieldError::Amount { max: 13 }), "{bad}");
        }
        let yuan = Amount::parse("1", Currency::Cny).unwrap();
        assert_eq!(yuan.full(Currency::Hkd), Err(FieldError::Currency(Currency::Hkd)));
    }
}
