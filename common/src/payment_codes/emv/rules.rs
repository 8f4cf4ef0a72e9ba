//! The rules for the values of data objects (EMVCo MPM v1.1).
//!
//! EMVCo requires a category, a name and a city. PromptPay and VietQR leave them out, so they are
//! optional here.

use std::ops::RangeInclusive;

use super::{
    error::{EmvError, EmvRuleViolation},
    format::{
        ADDITIONAL_DATA, COUNTRY, CRC, CURRENCY, GLOBALLY_UNIQUE_ID, LANGUAGE_TEMPLATE, MAX_VALUE_LENGTH,
        MERCHANT_CATEGORY, MERCHANT_CITY, MERCHANT_NAME, PAYLOAD_FORMAT, POINT_OF_INITIATION, POSTAL_CODE,
        TRANSACTION_AMOUNT,
    },
    template::{DataObjectValue, Template},
};

/// Requires IDs and lengths of two digits, so that the data objects can be written.
pub(super) fn check_headers(data_objects: &Template, path: &[u8]) -> Result<(), EmvError> {
    for (id, value) in &data_objects.0 {
        let path = [path, &[*id]].concat();
        if *id > 99 {
            return Err(EmvRuleViolation::Format("a data object with an ID of two digits").at(&path));
        }
        if let DataObjectValue::Template(template) = value {
            check_headers(template, &path)?;
        }
        check_length(&value.to_string(), MAX_VALUE_LENGTH).map_err(|violation| violation.at(&path))?;
    }
    Ok(())
}

/// Checks all data objects without the CRC.
pub(super) fn check(data_objects: &Template) -> Result<(), EmvError> {
    if data_objects.ids().next() != Some(PAYLOAD_FORMAT) {
        return Err(EmvRuleViolation::NotFirst.at(&[PAYLOAD_FORMAT]));
    }
    for (id, value) in &data_objects.0 {
        match value {
            DataObjectValue::Text(text) => check_text(*id, text).map_err(|violation| violation.at(&[*id]))?,
            DataObjectValue::Template(template) => check_template(*id, template)?,
        }
    }
    Ok(())
}

/// Checks a data object of the root that is not a template. IDs without a rule here are only limited
/// in length.
fn check_text(id: u8, text: &str) -> Result<(), EmvRuleViolation> {
    match id {
        PAYLOAD_FORMAT => check_format(text == "01", "01"),
        POINT_OF_INITIATION => check_format(matches!(text, "11" | "12"), "11 or 12"),
        MERCHANT_CATEGORY => check_format(is_digits(text, 4), "4 digits"),
        CURRENCY => check_format(is_digits(text, 3), "3 digits"),
        TRANSACTION_AMOUNT => check_amount(text),
        COUNTRY => check_format(is_country(text), "2 capital letters"),
        MERCHANT_NAME => check_length(text, 25),
        MERCHANT_CITY => check_length(text, 15),
        POSTAL_CODE => check_length(text, 10),
        CRC => Err(EmvRuleViolation::NotLast),
        _ => Ok(()),
    }
}

fn check_template(id: u8, template: &Template) -> Result<(), EmvError> {
    match id {
        ADDITIONAL_DATA => check_additional_data(template),
        LANGUAGE_TEMPLATE => {
            // The first data object is the language (ISO 639), then name and city follow.
            check_identifier(template, &[id], 2)?;
            check_lengths(template, id, 1..=1, 25)?;
            check_lengths(template, id, 2..=2, 15)
        }
        _ => check_identifier(template, &[id], 32),
    }
}

fn check_additional_data(template: &Template) -> Result<(), EmvError> {
    check_lengths(template, ADDITIONAL_DATA, 1..=8, 25)?;
    check_lengths(template, ADDITIONAL_DATA, 9..=9, 3)?;
    template
        .ids()
        .filter_map(|id| template.template(id).map(|nested| (id, nested)))
        .try_for_each(|(id, nested)| check_identifier(nested, &[ADDITIONAL_DATA, id], 32))
}

/// Requires the data object `00` of a template: its globally unique identifier, or its language.
fn check_identifier(template: &Template, path: &[u8], max: usize) -> Result<(), EmvError> {
    let path = [path, &[GLOBALLY_UNIQUE_ID]].concat();
    let identifier = template.text(GLOBALLY_UNIQUE_ID).ok_or_else(|| EmvRuleViolation::Missing.at(&path))?;
    check_length(identifier, max).map_err(|violation| violation.at(&path))
}

/// Limits the lengths of the data objects with these IDs in a template.
fn check_lengths(
    template: &Template,
    parent: u8,
    mut ids: RangeInclusive<u8>,
    max: usize,
) -> Result<(), EmvError> {
    ids.try_for_each(|id| {
        let result = template.text(id).map_or(Ok(()), |text| check_length(text, max));
        result.map_err(|violation| violation.at(&[parent, id]))
    })
}

/// Accepts digits with at most one point after the first digit, if they are not zero: `98`, `98.73`, `98.`.
fn check_amount(text: &str) -> Result<(), EmvRuleViolation> {
    check_length(text, 13)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = !whole.is_empty() && is_digits(whole, whole.len()) && is_digits(fraction, fraction.len());
    let is_zero = !text.contains(|char| matches!(char, '1'..='9'));
    check_format(is_number && !is_zero, "a number above zero: digits with at most one decimal point")
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn check_length(text: &str, max: usize) -> Result<(), EmvRuleViolation> {
    let is_valid = (1..=max).contains(&text.chars().count());
    if is_valid { Ok(()) } else { Err(EmvRuleViolation::Length { max }) }
}

fn check_format(is_valid: bool, valid_format: &'static str) -> Result<(), EmvRuleViolation> {
    if is_valid { Ok(()) } else { Err(EmvRuleViolation::Format(valid_format)) }
}
