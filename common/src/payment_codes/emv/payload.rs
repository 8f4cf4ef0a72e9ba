//! A whole EMV payload with its CRC.

use std::ops::RangeInclusive;

use crc::{CRC_16_IBM_3740, Crc};
use serde::Serialize;

use super::{
    error::{EmvError, EmvRuleViolation},
    format::{CRC, GLOBALLY_UNIQUE_ID, MAX_PAYLOAD_BYTES},
    rules,
    template::{DataObjectValue, Template},
};

/// ID and length of the CRC. The CRC covers them too.
const CRC_HEADER: &str = "6304";

/// A payload that follows all rules of EMVCo MPM v1.1. In JSON an object from IDs to values, without
/// the CRC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct EmvPayload(Template);

impl EmvPayload {
    /// Makes a payload of all its data objects without the CRC.
    ///
    /// # Errors
    /// The data objects break a rule.
    pub fn new(data_objects: Template) -> Result<Self, EmvError> {
        rules::check_headers(&data_objects, &[])?;
        Self::parse(&append_crc(&data_objects))
    }

    /// # Errors
    /// The text breaks a rule, or its CRC is wrong.
    pub fn parse(text: &str) -> Result<Self, EmvError> {
        if text.len() > MAX_PAYLOAD_BYTES {
            return Err(EmvRuleViolation::TooLong.at(&[]));
        }
        if text.chars().any(char::is_control) {
            return Err(EmvRuleViolation::ControlCharacter.at(&[]));
        }
        let mut data_objects = Template::parse(text, &[])?;
        let Some((CRC, DataObjectValue::Text(crc))) = data_objects.0.pop() else {
            return Err(EmvRuleViolation::NotLast.at(&[CRC]));
        };
        let covered = text.strip_suffix(&crc).unwrap_or(text);
        let expected = crc_of(covered);
        if !covered.ends_with(CRC_HEADER) || crc != expected {
            return Err(EmvRuleViolation::Checksum { expected }.at(&[CRC]));
        }
        rules::check(&data_objects)?;
        Ok(Self(data_objects))
    }

    /// The text for the QR code.
    #[must_use]
    pub fn encode(&self) -> String {
        append_crc(&self.0)
    }

    /// All data objects without the CRC.
    #[must_use]
    pub fn data_objects(&self) -> &Template {
        &self.0
    }

    /// The text at a path of IDs. `None` if the data object is missing or a template.
    #[must_use]
    pub fn text(&self, path: &[u8]) -> Option<&str> {
        let (last, templates) = path.split_last()?;
        templates.iter().try_fold(&self.0, |template, id| template.template(*id))?.text(*last)
    }

    /// The ID of the first template in this range with this globally unique identifier. The case of
    /// its letters does not matter.
    #[must_use]
    pub fn find_template(&self, ids: RangeInclusive<u8>, unique_id: &str) -> Option<u8> {
        let has_unique_id = |id: &u8| {
            self.text(&[*id, GLOBALLY_UNIQUE_ID]).is_some_and(|found| found.eq_ignore_ascii_case(unique_id))
        };
        self.0.ids().filter(|id| ids.contains(id)).find(has_unique_id)
    }
}

/// The text of the data objects with the CRC at the end.
pub(super) fn append_crc(data_objects: &Template) -> String {
    let covered = format!("{data_objects}{CRC_HEADER}");
    let crc = crc_of(&covered);
    covered + &crc
}

/// The CRC of a text: four hexadecimal digits in upper case (ISO/IEC 13239, polynomial 1021, initial
/// value FFFF).
pub(super) fn crc_of(covered: &str) -> String {
    format!("{:04X}", Crc::<u16>::new(&CRC_16_IBM_3740).checksum(covered.as_bytes()))
}
