//! The closed lists of values in the errors of fields.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// The rule that the field breaks:
/// - `required`: the field is missing.
/// - `unknown_field`: the request has no such field or parameter. `choices` are the known ones.
/// - `duplicate_field`: the field occurs twice.
/// - `invalid_type`: the value has another type than `expected`.
/// - `invalid_choice`: the value is none of `choices`.
/// - `invalid_format`: the text does not match `pattern`, or is not in the `format`.
/// - `too_short`, `too_long`: the text does not have `minimum` to `maximum` characters.
/// - `too_few_items`, `too_many_items`: the list does not have `minimum` to `maximum` items.
/// - `out_of_range`: the number is not from `minimum` to `maximum`. A missing limit is that of the type.
/// - `not_positive`: the amount is not more than zero.
/// - `too_many_decimals`: the amount has more than `maximum` decimals.
/// - `too_many_pixels`: the picture is too wide or too high, or it has more than `maximum` pixels.
/// - `too_deep`: the body has more than `maximum` levels.
/// - `exactly_one_of`: exactly one of `fields` must be set.
/// - `at_most_one_of`: at most one of `fields` may be set.
/// - `easy_to_guess`: the password is easy to guess, because of `weakness`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum FieldErrorCode {
    Required,
    UnknownField,
    DuplicateField,
    InvalidType,
    InvalidChoice,
    InvalidFormat,
    TooShort,
    TooLong,
    TooFewItems,
    TooManyItems,
    OutOfRange,
    NotPositive,
    TooManyDecimals,
    TooManyPixels,
    TooDeep,
    ExactlyOneOf,
    AtMostOneOf,
    EasyToGuess,
}

/// The type of a value of JSON, or of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// The format of a text, if no pattern describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ValueFormat {
    /// The body of a request: JSON.
    Json,
    /// A time of RFC 3339.
    DateTime,
    Uuid,
    Base64,
    /// An amount of money: digits with at most one decimal point.
    Decimal,
    /// A complete picture: PNG, JPEG or WebP.
    Picture,
    /// The `next` of a response of the same list.
    Cursor,
}

/// Why a password is easy to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PasswordWeakness {
    /// Many people use it, or a similar one.
    CommonPassword,
    /// A repeated text.
    Repetition,
    /// A sequence of letters, digits or keys.
    Sequence,
    /// A date or a year.
    Date,
    /// Only names.
    Name,
    /// Only one word.
    Word,
}
