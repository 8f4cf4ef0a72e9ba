//! Money: integer cents inside, a decimal string outside, never a float.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Cents(pub(crate) u64);

const SHAPE: &str = r"não está no formato \d{1,10}\.\d{2}";
/// The most that ten digits before the point can say.
const MOST: u64 = 999_999_999_999;

impl Cents {
    /// An amount that can be paid.
    pub(crate) fn new(cents: u64) -> Option<Self> {
        (1..=MOST).contains(&cents).then_some(Self(cents))
    }
}

impl FromStr for Cents {
    type Err = &'static str;

    /// `\d{1,10}\.\d{2}` and more than nothing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, cents) = text.split_once('.').ok_or(SHAPE)?;
        let shape = (1..=10).contains(&whole.len()) && cents.len() == 2 && digits(whole) && digits(cents);
        if !shape {
            return Err(SHAPE);
        }
        let cents = format!("{whole}{cents}").parse().map_err(|_| SHAPE)?;
        Self::new(cents).ok_or("deve ser maior que zero")
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
    fn money_is_read_and_written_to_the_cent() {
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
