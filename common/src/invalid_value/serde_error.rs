//! The error of a deserializer that reports which rule a value breaks.

use std::fmt::Display;

use serde::de::{Error, Expected, Unexpected, value};

use super::{FieldErrorCode, InvalidValue};

impl Error for InvalidValue {
    /// The error of a value type, or a text of another crate. Such a text is about the format.
    fn custom<T: Display>(error: T) -> Self {
        serde_json::from_str(&format!("{error:#}"))
            .unwrap_or_else(|_| Self::new(FieldErrorCode::InvalidFormat, error.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(FieldErrorCode::InvalidType, sentence(value::Error::invalid_type(found, expected)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let code = match found {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => {
                FieldErrorCode::OutOfRange
            }
            _ => FieldErrorCode::InvalidFormat,
        };
        Self::new(code, sentence(value::Error::invalid_value(found, expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::choice(expected, sentence(value::Error::unknown_variant(variant, expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().map(|&name| name.to_owned()).collect();
        Self::unknown(known, sentence(value::Error::unknown_field(field, expected)))
    }

    fn missing_field(field: &'static str) -> Self {
        let error = Self::new(FieldErrorCode::Required, sentence(value::Error::missing_field(field)));
        Self { missing: Some(field), ..error }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(FieldErrorCode::DuplicateField, sentence(value::Error::duplicate_field(field)))
    }
}

/// The sentence of serde.
fn sentence(error: value::Error) -> String {
    error.to_string()
}
