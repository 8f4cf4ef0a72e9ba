//! Money as a whole number of minor units, never as a float.

mod currency;

use std::{borrow::Cow, fmt};

use poem_openapi::{
    Object,
    registry::{MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Serialize};

pub use self::currency::{Currency, MoneyError};
use crate::invalid_value::{FieldErrorCode, FieldErrorParameters, InvalidValue, ValueFormat};

impl From<MoneyError> for InvalidValue {
    fn from(error: MoneyError) -> Self {
        let detail = error.to_string();
        match error {
            MoneyError::Currency => Self::choice(&Currency::ALL.map(Currency::code), detail),
            MoneyError::Format => Self::format(ValueFormat::Decimal, detail),
            MoneyError::Decimals(currency) => Self::new(FieldErrorCode::TooManyDecimals, detail)
                .with(FieldErrorParameters::up_to(currency.exponent())),
            MoneyError::Overflow => Self::new(FieldErrorCode::OutOfRange, detail),
        }
    }
}

/// An amount in one currency, in minor units: 2500 in BRL are 25 reais. In JSON
/// `{"amount": "25.00", "currency": "BRL"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "MoneyJson", into = "MoneyJson")]
pub struct Money {
    minor: i64,
    currency: Currency,
}

impl Money {
    #[must_use]
    pub fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    #[must_use]
    pub fn minor(self) -> i64 {
        self.minor
    }

    #[must_use]
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// The amount without the currency, with all decimals: `25.00`.
    #[must_use]
    pub fn amount(self) -> String {
        let sign = if self.minor < 0 { "-" } else { "" };
        let unit = 10_u64.pow(self.currency.exponent());
        let (whole, fraction) = (self.minor.unsigned_abs() / unit, self.minor.unsigned_abs() % unit);
        match self.currency.exponent() as usize {
            0 => format!("{sign}{whole}"),
            digits => format!("{sign}{whole}.{fraction:0digits$}"),
        }
    }

    /// Reads `25`, `25.5` or `25.50`. Signs, exponents, spaces and thousands separators are refused.
    ///
    /// # Errors
    /// The text has another format, too many decimals, or is too large. Amounts are never rounded.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) if is_digits(fraction) => (whole, fraction),
            Some(_) => return Err(MoneyError::Format),
            None => (text, ""),
        };
        if !is_digits(whole) {
            return Err(MoneyError::Format);
        }
        let missing_decimals = (currency.exponent() as usize)
            .checked_sub(fraction.len())
            .ok_or(MoneyError::Decimals(currency))?;
        let minor = format!("{whole}{fraction}{:0<missing_decimals$}", "");
        minor.parse().map(|minor| Self::new(minor, currency)).map_err(|_| MoneyError::Overflow)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount(), self.currency)
    }
}

/// An amount of money.
#[derive(Debug, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Money", deny_unknown_fields)]
struct MoneyJson {
    /// A decimal number as a text, with all decimals of the currency.
    #[oai(validator(pattern = r"^[0-9]{1,15}(\.[0-9]{1,2})?$", max_length = 18))]
    amount: String,
    currency: Currency,
}

impl From<Money> for MoneyJson {
    fn from(money: Money) -> Self {
        Self { amount: money.amount(), currency: money.currency }
    }
}

impl TryFrom<MoneyJson> for Money {
    type Error = InvalidValue;

    fn try_from(json: MoneyJson) -> Result<Self, InvalidValue> {
        let (amount, sign) = json.amount.strip_prefix('-').map_or((&*json.amount, 1), |rest| (rest, -1));
        Ok(Self::new(sign * Self::parse(amount, json.currency)?.minor, json.currency))
    }
}

impl Type for Money {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        MoneyJson::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        MoneyJson::schema_ref()
    }

    fn register(registry: &mut Registry) {
        MoneyJson::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for Money {
    fn parse_from_json(value: Option<serde_json::Value>) -> ParseResult<Self> {
        serde_json::from_value(value.unwrap_or_default()).map_err(ParseError::custom)
    }
}

impl ToJSON for Money {
    fn to_json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Currency, Money, MoneyError};

    #[test]
    fn amounts_are_read_and_written_without_rounding() {
        for (text, currency, minor, written) in [
            ("25", Currency::Brl, 2500, "25.00 BRL"),
            ("25.5", Currency::Brl, 2550, "25.50 BRL"),
            ("0.01", Currency::Eur, 1, "0.01 EUR"),
            ("0", Currency::Usd, 0, "0.00 USD"),
            ("180000", Currency::Vnd, 180_000, "180000 VND"),
            ("92233720368547758.07", Currency::Thb, i64::MAX, "92233720368547758.07 THB"),
        ] {
            let money = Money::parse(text, currency).unwrap();
            assert_eq!((money.minor(), money.to_string().as_str()), (minor, written));
        }
        assert_eq!(Money::new(-5, Currency::Brl).to_string(), "-0.05 BRL");
        assert_eq!(Money::new(i64::MIN, Currency::Brl).amount(), "-92233720368547758.08");
    }

    #[test]
    fn other_texts_are_not_amounts() {
        for invalid in ["", ".", "1.", ".5", "-1", "+1", "1e2", " 1", "1 ", "1,5", "1.2.3", "1_0", "١", "0x1"]
        {
            assert_eq!(Money::parse(invalid, Currency::Brl), Err(MoneyError::Format), "{invalid}");
        }
        assert_eq!(Money::parse("0.001", Currency::Brl), Err(MoneyError::Decimals(Currency::Brl)));
        assert_eq!(Money::parse("1.0", Currency::Vnd), Err(MoneyError::Decimals(Currency::Vnd)));
        assert_eq!(Money::parse("92233720368547758.08", Currency::Thb), Err(MoneyError::Overflow));
    }
}
