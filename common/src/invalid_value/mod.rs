//! The errors of values: which rule a value breaks, for programs and for people.

mod codes;
mod serde_error;

use std::fmt::{self, Display, Formatter};

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

pub use self::codes::{FieldErrorCode, PasswordWeakness, ValueFormat, ValueType};

/// Why a value is invalid.
///
/// serde and poem-openapi turn each error of a value into a text. So `{}` writes the sentence for people, and `{:#}` the whole
/// error as JSON. The implementation of [`serde::de::Error`] reads it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidValue {
    pub code: FieldErrorCode,
    /// A sentence for people, without the name of the field.
    pub detail: String,
    /// Boxed, because it is large and errors are rare.
    pub parameters: Box<FieldErrorParameters>,
    /// The field that is missing in the value.
    #[serde(skip)]
    pub missing: Option<&'static str>,
}

/// The rule that the field breaks. The code says which of these it has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
pub struct FieldErrorParameters {
    /// The lowest number, or the lowest count of characters or items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<i64>,
    /// The highest number, or the highest count of characters, items, decimals, pixels or levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i64>,
    /// The regular expression of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The format of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
    /// The type of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ValueType>,
    /// The valid values, or the known fields or parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[oai(default)]
    pub choices: Vec<String>,
    /// The fields or parameters that exclude each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[oai(default)]
    pub fields: Vec<String>,
    /// Why the password is easy to guess, if one reason is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weakness: Option<PasswordWeakness>,
}

impl InvalidValue {
    /// An error without parameters.
    #[must_use]
    pub fn new(code: FieldErrorCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), parameters: Box::default(), missing: None }
    }

    /// The same error with parameters.
    #[must_use]
    pub fn with(mut self, parameters: FieldErrorParameters) -> Self {
        *self.parameters = parameters;
        self
    }

    /// A text with too few or too many characters.
    #[must_use]
    pub fn length(characters: usize, minimum: usize, maximum: usize) -> Self {
        let code = if characters < minimum { FieldErrorCode::TooShort } else { FieldErrorCode::TooLong };
        let detail = format!("must have {minimum} to {maximum} characters");
        Self::new(code, detail).with(FieldErrorParameters::counts(minimum, maximum))
    }

    /// A text that does not match the regular expression.
    #[must_use]
    pub fn pattern(pattern: &str) -> Self {
        let pattern = pattern.to_owned();
        let detail = format!("must match {pattern}");
        Self::new(FieldErrorCode::InvalidFormat, detail)
            .with(FieldErrorParameters { pattern: Some(pattern), ..FieldErrorParameters::default() })
    }

    /// A text that is not in the format.
    #[must_use]
    pub fn format(format: ValueFormat, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorCode::InvalidFormat, detail)
            .with(FieldErrorParameters { format: Some(format), ..FieldErrorParameters::default() })
    }

    /// A number that is too low or too high.
    #[must_use]
    pub fn range(minimum: i64, maximum: i64) -> Self {
        let detail = format!("must be from {minimum} to {maximum}");
        let maximum = Some(maximum).filter(|maximum| *maximum <= FieldErrorParameters::MAX_EXACT);
        Self::new(FieldErrorCode::OutOfRange, detail).with(FieldErrorParameters {
            minimum: Some(minimum),
            maximum,
            ..FieldErrorParameters::default()
        })
    }

    /// A list with too few or too many items.
    #[must_use]
    pub fn items(items: usize, minimum: usize, maximum: usize) -> Self {
        let code = if items < minimum { FieldErrorCode::TooFewItems } else { FieldErrorCode::TooManyItems };
        let detail = match minimum {
            0 => format!("must have at most {maximum} items"),
            _ => format!("must have {minimum} to {maximum} items"),
        };
        Self::new(code, detail).with(FieldErrorParameters::counts(minimum, maximum))
    }

    /// A value of another type.
    #[must_use]
    pub fn of_type(expected: ValueType, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorCode::InvalidType, detail)
            .with(FieldErrorParameters { expected: Some(expected), ..FieldErrorParameters::default() })
    }

    /// A text that is no whole number.
    #[must_use]
    pub fn whole_number() -> Self {
        Self::of_type(ValueType::Integer, "must be a whole number")
    }

    /// A value that is none of the valid ones.
    #[must_use]
    pub fn choice(choices: &[&str], detail: impl Into<String>) -> Self {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        Self::new(FieldErrorCode::InvalidChoice, detail)
            .with(FieldErrorParameters { choices, ..FieldErrorParameters::default() })
    }

    /// A field that the object does not have, but it has the known ones.
    pub(super) fn unknown(choices: Vec<String>, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorCode::UnknownField, detail)
            .with(FieldErrorParameters { choices, ..FieldErrorParameters::default() })
    }

    /// A parameter of the query that the operation does not have, but it has the known ones.
    #[must_use]
    pub fn unknown_parameter(known: &[String]) -> Self {
        let detail = match known {
            [] => "unknown parameter: there is none".to_owned(),
            _ => format!("unknown parameter, expected one of {}", known.join(", ")),
        };
        Self::unknown(known.to_owned(), detail)
    }

    /// Fields of which exactly one must be set.
    #[must_use]
    pub fn exactly_one_of(fields: &[&str], detail: impl Into<String>) -> Self {
        Self::new(FieldErrorCode::ExactlyOneOf, detail).with(FieldErrorParameters::fields(fields))
    }

    /// Fields of which at most one may be set.
    #[must_use]
    pub fn at_most_one_of(fields: &[&str], detail: impl Into<String>) -> Self {
        Self::new(FieldErrorCode::AtMostOneOf, detail).with(FieldErrorParameters::fields(fields))
    }
}

impl FieldErrorParameters {
    /// The highest number that JavaScript and a double represent exactly. A higher limit is not shown.
    const MAX_EXACT: i64 = (1 << 53) - 1;

    fn counts(minimum: usize, maximum: usize) -> Self {
        let minimum = i64::try_from(minimum).ok();
        Self { minimum, maximum: i64::try_from(maximum).ok(), ..Self::default() }
    }

    /// A highest number or count.
    #[must_use]
    pub fn up_to(maximum: impl TryInto<i64>) -> Self {
        Self { maximum: maximum.try_into().ok(), ..Self::default() }
    }

    fn fields(fields: &[&str]) -> Self {
        Self { fields: fields.iter().map(|&field| field.to_owned()).collect(), ..Self::default() }
    }
}

impl Display for InvalidValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?);
        }
        f.write_str(&self.detail)
    }
}

impl std::error::Error for InvalidValue {}
