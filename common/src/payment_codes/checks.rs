//! Checks of field texts, and a macro for text types that are checked once.

use std::ops::RangeInclusive;

use super::field_error::PayloadFieldError;

/// Declares text types that only a check can create: `Name: check`. The check is a function from
/// `&str` to `Result<(), PayloadFieldError>`.
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
            type Err = $crate::payment_codes::field_error::PayloadFieldError;

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

/// Requires one line of free text: 1 to `MAX` characters, without control characters.
pub(super) fn check_line<const MAX: usize>(text: &str) -> Result<(), PayloadFieldError> {
    check_length(text, 1, MAX)?;
    check_format(!text.chars().any(char::is_control), "one line without control characters")
}

/// Requires a number of characters (Unicode scalar values).
pub(super) fn check_length(text: &str, min: usize, max: usize) -> Result<(), PayloadFieldError> {
    let is_valid = (min..=max).contains(&text.chars().count());
    if is_valid { Ok(()) } else { Err(PayloadFieldError::Length { min, max }) }
}

/// Returns the error `must be {valid_format}` for an invalid field.
pub(super) fn check_format(is_valid: bool, valid_format: &'static str) -> Result<(), PayloadFieldError> {
    if is_valid { Ok(()) } else { Err(PayloadFieldError::Format(valid_format)) }
}

/// Whether the text consists of this many ASCII digits.
pub(super) fn is_digits(text: &str, count: RangeInclusive<usize>) -> bool {
    count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text consists of ASCII digits and capital letters.
pub(super) fn is_digits_and_capitals(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Whether the text consists of ASCII letters and digits.
pub(super) fn is_alphanumeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether the text has the format of an e-mail address. The address may not exist.
pub(super) fn is_email(text: &str) -> bool {
    let has_both_parts = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    has_both_parts && text.bytes().all(|byte| byte.is_ascii_graphic())
}
