//! The payload of EMVCo's Merchant-Presented Mode (MPM) v1.1, whatever the scheme.
//!
//! It is a list of objects: a two-digit id, a two-digit length in characters, a value,
//! which in a template is such a list again. Tags keep their order, so that what was
//! parsed encodes to the same bytes.

mod error;
mod rules;
mod template;

use std::{ops::RangeInclusive, str::FromStr};

use crc::{CRC_16_IBM_3740, Crc};
use serde::Serialize;

pub use self::{
    error::{EmvError, Fault, Path},
    template::{Template, Value},
};
use super::{FieldError, PayloadError};

/// EMVCo speaks of 512 characters, fewer where they take several bytes: so bytes are counted.
pub const MAX_BYTES: usize = 512;

/// The templates that say to whom the money goes.
pub const ACCOUNTS: RangeInclusive<u8> = 26..=51;

/// The templates that anybody may use, told apart by their first object.
pub const UNRESERVED: RangeInclusive<u8> = 80..=99;

/// The last object: id and length are part of what the checksum covers.
const CHECKSUM_HEAD: &str = "6304";

/// A payload that keeps every rule. In JSON an object by id, without the checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Payload(Template);

impl Payload {
    /// Makes a payload of all its objects but the checksum.
    ///
    /// # Errors
    /// A rule is broken.
    pub fn new(objects: Template) -> Result<Self, EmvError> {
        rules::lengths(&objects, &[])?;
        Self::parse(&sealed(&objects))
    }

    /// # Errors
    /// A rule is broken.
    pub fn parse(text: &str) -> Result<Self, EmvError> {
        if text.len() > MAX_BYTES {
            return Err(Fault::TooLong.at(&[]));
        }
        if text.chars().any(char::is_control) {
            return Err(Fault::ControlCharacter.at(&[]));
        }
        let mut objects = Template::parse(text, &[])?;
        let Some((63, Value::Text(checksum))) = objects.0.pop() else {
            return Err(Fault::NotLast.at(&[63]));
        };
        let covered = text.strip_suffix(&checksum).unwrap_or(text);
        let expected = self::checksum(covered);
        if !covered.ends_with(CHECKSUM_HEAD) || checksum != expected {
            return Err(Fault::Checksum { expected }.at(&[63]));
        }
        rules::check(&objects)?;
        Ok(Self(objects))
    }

    /// The text for the QR code.
    #[must_use]
    pub fn encode(&self) -> String {
        sealed(&self.0)
    }

    /// All objects but the checksum.
    #[must_use]
    pub fn objects(&self) -> &Template {
        &self.0
    }

    /// The text at a path of ids.
    #[must_use]
    pub fn text(&self, path: &[u8]) -> Option<&str> {
        let (last, templates) = path.split_last()?;
        templates.iter().try_fold(&self.0, |template, id| template.template(*id))?.text(*last)
    }

    /// The first template among these ids whose object `00` is the name, in upper or lower case.
    #[must_use]
    pub fn template_of(&self, ids: RangeInclusive<u8>, name: &str) -> Option<u8> {
        let named = |id: &u8| self.text(&[*id, 0]).is_some_and(|found| found.eq_ignore_ascii_case(name));
        self.0.ids().filter(|id| ids.contains(id)).find(named)
    }

    /// The field at a path of ids; none where there is no such object.
    pub(super) fn optional<T>(&self, path: &[u8]) -> Result<Option<T>, PayloadError>
    where
        T: FromStr<Err = FieldError>,
    {
        self.text(path).map(|text| text.parse().map_err(|error: FieldError| error.at(path))).transpose()
    }

    /// The field at a path of ids.
    pub(super) fn required<T>(&self, path: &[u8]) -> Result<T, PayloadError>
    where
        T: FromStr<Err = FieldError>,
    {
        self.optional(path)?.ok_or_else(|| FieldError::Missing.at(path))
    }

    /// The object at a path of ids must have this value.
    pub(super) fn fixed(&self, path: &[u8], value: &'static str) -> Result<(), PayloadError> {
        match self.text(path) {
            None => Err(FieldError::Missing.at(path)),
            Some(found) if found != value => Err(FieldError::Form(value).at(path)),
            Some(_) => Ok(()),
        }
    }
}

/// The objects with the checksum behind them.
fn sealed(objects: &Template) -> String {
    let covered = format!("{objects}{CHECKSUM_HEAD}");
    let checksum = checksum(&covered);
    covered + &checksum
}

fn checksum(covered: &str) -> String {
    format!("{:04X}", Crc::<u16>::new(&CRC_16_IBM_3740).checksum(covered.as_bytes()))
}

#[cfg(test)]
mod tests;
