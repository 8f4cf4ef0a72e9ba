//! What the objects of a payload may hold, by EMVCo MPM v1.1.
//!
//! An object that must be there in EMVCo's table but is left out by whole schemes
//! (category, name and city in PromptPay and VietQR) may be left out here too.

use super::{ACCOUNTS, EmvError, Fault, Template, UNRESERVED, Value};

/// The length of an object has two digits.
pub(super) const MAX_LENGTH: usize = 99;

/// Additional data: bill number, reference, terminal, purpose and the like.
const ADDITIONAL: u8 = 62;

/// The merchant's name and city in another language.
const LANGUAGE: u8 = 64;

/// Whether the object at this path is a template. Account templates have further objects
/// of their scheme's own making, so that they are texts here.
pub(super) fn is_template(path: &[u8]) -> bool {
    match path {
        [ADDITIONAL | LANGUAGE] => true,
        [id] => ACCOUNTS.contains(id) || UNRESERVED.contains(id),
        [ADDITIONAL, id] => (50..=99).contains(id),
        _ => false,
    }
}

/// Ids and lengths have two digits, so that the objects can be written at all.
pub(super) fn lengths(objects: &Template, path: &[u8]) -> Result<(), EmvError> {
    for (id, value) in &objects.0 {
        let path = [path, &[*id]].concat();
        if *id > 99 {
            return Err(Fault::Form("an object with an id of two digits").at(&path));
        }
        if let Value::Template(template) = value {
            lengths(template, &path)?;
        }
        length(&value.to_string(), MAX_LENGTH).map_err(|fault| fault.at(&path))?;
    }
    Ok(())
}

/// Checks all objects but the checksum.
pub(super) fn check(objects: &Template) -> Result<(), EmvError> {
    if objects.ids().next() != Some(0) {
        return Err(Fault::NotFirst.at(&[0]));
    }
    for (id, value) in &objects.0 {
        match value {
            Value::Text(text) => root(*id, text).map_err(|fault| fault.at(&[*id]))?,
            Value::Template(template) => within(*id, template)?,
        }
    }
    Ok(())
}

/// Objects that are no templates; those without a rule here are as free as their length.
fn root(id: u8, text: &str) -> Result<(), Fault> {
    match id {
        0 => form(text == "01", "01"),
        1 => form(matches!(text, "11" | "12"), "11 or 12"),
        52 => form(digits(text, 4), "4 digits"),
        53 => form(digits(text, 3), "3 digits"),
        54 => amount(text),
        58 => {
            form(text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()), "2 capital letters")
        }
        59 => length(text, 25),
        60 => length(text, 15),
        61 => length(text, 10),
        63 => Err(Fault::NotLast),
        _ => Ok(()),
    }
}

fn within(id: u8, template: &Template) -> Result<(), EmvError> {
    match id {
        ADDITIONAL => additional(template),
        LANGUAGE => {
            named(template, &[id], 2)?;
            limited(template, id, 1..=1, 25)?;
            limited(template, id, 2..=2, 15)
        }
        _ => named(template, &[id], 32),
    }
}

fn additional(template: &Template) -> Result<(), EmvError> {
    limited(template, ADDITIONAL, 1..=8, 25)?;
    limited(template, ADDITIONAL, 9..=9, 3)?;
    let nested = template.ids().filter_map(|id| template.template(id).map(|nested| (id, nested)));
    nested.into_iter().try_for_each(|(id, nested)| named(nested, &[ADDITIONAL, id], 32))
}

/// Object `00` tells what a template is: a unique name, or the language.
fn named(template: &Template, path: &[u8], max: usize) -> Result<(), EmvError> {
    let path = [path, &[0]].concat();
    let name = template.text(0).ok_or_else(|| Fault::Missing.at(&path))?;
    length(name, max).map_err(|fault| fault.at(&path))
}

/// The objects with these ids in a template have at most this length.
fn limited(
    template: &Template,
    parent: u8,
    mut ids: std::ops::RangeInclusive<u8>,
    max: usize,
) -> Result<(), EmvError> {
    ids.try_for_each(|id| {
        template.text(id).map_or(Ok(()), |text| length(text, max)).map_err(|fault| fault.at(&[parent, id]))
    })
}

/// Digits with at most one point behind the first, not zero: `98`, `98.73`, and `98.` too.
fn amount(text: &str) -> Result<(), Fault> {
    length(text, 13)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let shaped = !whole.is_empty() && digits(whole, whole.len()) && digits(fraction, fraction.len());
    form(shaped && text.contains(|char| matches!(char, '1'..='9')), "digits with at most one point, not zero")
}

fn digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn length(text: &str, max: usize) -> Result<(), Fault> {
    let fits = (1..=max).contains(&text.chars().count());
    if fits { Ok(()) } else { Err(Fault::Length { max }) }
}

fn form(is: bool, description: &'static str) -> Result<(), Fault> {
    if is { Ok(()) } else { Err(Fault::Form(description)) }
}
