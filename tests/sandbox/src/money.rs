//! Amounts of money: integer cents in memory, a decimal string in JSON.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// An amount in cents of a real (BRL).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Cents(pub(crate) u64);

const WRONG_FORMAT: &str = r"does not match \d{1,10}\.\d{2}";
/// The largest amount with ten digits before the decimal point.
const MAX_CENTS: u64 = 999_999_999_999;

impl Cents {
    /// Returns an amount that can be paid: more than zero, at most ten digits before the decimal point.
    pub(crate) fn new(cents: u64) -> Option<Self> {
        (1..=MAX_CENTS).contains(&cents).then_some(Self(cents))
    }
}

impl FromStr for Cents {
    type Err = &'static str;

    /// Parses `\d{1,10}\.\d{2}`, more than zero.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, cents) = text.split_once('.').ok_or(WRONG_FORMAT)?;
        let has_format =
            (1..=10).contains(&whole.len()) && cents.len() == 2 && digits(whole) && digits(cents);
        if !has_format {
            return Err(WRONG_FORMAT);
        }
        let cents = format!("{whole}{cents}").parse().map_err(|_| WRONG_FORMAT)?;
        Self::new(cents).ok_or("must be greater than zero")
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl TryFrom<String> for Cents {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Cents> for String {
    fn from(cents: Cents) -> Self {
        cents.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Cents;

    #[test]
    fn amounts_are_parsed_and_formatted_with_cents() {
        assert_eq!("12.34".parse(), Ok(Cents(1234)));
        assert_eq!("9999999999.99".parse(), Ok(Cents(999_999_999_999)));
        assert_eq!(Cents(5).to_string(), "0.05");
        for bad in
            ["", "1", "1.2", "1.234", "1,23", "-1.00", "+1.00", ".50", "12345678901.00", "0.00", "1e2.00"]
        {
            assert!(bad.parse::<Cents>().is_err(), "{bad}");
        }
    }
}
