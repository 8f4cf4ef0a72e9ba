//! A list of data objects, as a text and as a tree.

use std::fmt;

use serde::Serialize;

use super::{
    error::{EmvError, EmvRuleViolation},
    format::{MAX_VALUE_LENGTH, is_template},
};

/// Data objects in their order: ID and value. In JSON an object from IDs (`"05"`) to values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template(pub(super) Vec<(u8, DataObjectValue)>);

/// The value of a data object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DataObjectValue {
    Text(String),
    Template(Template),
}

impl Template {
    /// Appends a data object.
    #[must_use]
    pub fn with(mut self, id: u8, text: impl fmt::Display) -> Self {
        self.0.push((id, DataObjectValue::Text(text.to_string())));
        self
    }

    /// Appends a data object if there is a value.
    #[must_use]
    pub fn with_some(self, id: u8, text: Option<impl fmt::Display>) -> Self {
        match text {
            Some(text) => self.with(id, text),
            None => self,
        }
    }

    /// Appends a template. An empty template is left out, because a value has at least one character.
    #[must_use]
    pub fn with_template(mut self, id: u8, template: Self) -> Self {
        if !template.0.is_empty() {
            self.0.push((id, DataObjectValue::Template(template)));
        }
        self
    }

    /// The text of a data object. `None` if it is missing or a template.
    #[must_use]
    pub fn text(&self, id: u8) -> Option<&str> {
        match self.value(id)? {
            DataObjectValue::Text(text) => Some(text),
            DataObjectValue::Template(_) => None,
        }
    }

    /// A template in this template. `None` if it is missing or a text.
    #[must_use]
    pub fn template(&self, id: u8) -> Option<&Self> {
        match self.value(id)? {
            DataObjectValue::Template(template) => Some(template),
            DataObjectValue::Text(_) => None,
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(|(id, _)| *id)
    }

    fn value(&self, id: u8) -> Option<&DataObjectValue> {
        self.0.iter().find(|(found, _)| *found == id).map(|(_, value)| value)
    }

    /// Reads the whole text as data objects. `path` is the place of the text.
    ///
    /// # Errors
    /// The text is cut off, has characters between its data objects, an empty value, or an ID twice.
    pub fn parse(text: &str, path: &[u8]) -> Result<Self, EmvError> {
        let mut template = Self::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (id, length, after_header) = split_header(rest)
                .ok_or_else(|| EmvRuleViolation::NotADataObject(rest.chars().take(8).collect()).at(path))?;
            let path = [path, &[id]].concat();
            if length == 0 {
                return Err(EmvRuleViolation::Length { max: MAX_VALUE_LENGTH }.at(&path));
            }
            if template.value(id).is_some() {
                return Err(EmvRuleViolation::Repeated.at(&path));
            }
            let (value, after_value) =
                split_characters(after_header, length).ok_or_else(|| EmvRuleViolation::CutOff.at(&path))?;
            template.0.push((id, DataObjectValue::parse(value, &path)?));
            rest = after_value;
        }
        Ok(template)
    }
}

impl DataObjectValue {
    fn parse(text: &str, path: &[u8]) -> Result<Self, EmvError> {
        if is_template(path) {
            Template::parse(text, path).map(Self::Template)
        } else {
            Ok(Self::Text(text.to_owned()))
        }
    }
}

/// Splits a text after its ID and length.
fn split_header(text: &str) -> Option<(u8, usize, &str)> {
    let (header, rest) = text.split_at_checked(4)?;
    // `str::parse` also accepts a plus sign, so the digits are checked first.
    if !header.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((header[..2].parse().ok()?, header[2..].parse().ok()?, rest))
}

/// Splits a text after this many characters. `None` if it has fewer.
fn split_characters(text: &str, count: usize) -> Option<(&str, &str)> {
    let mut ends = text.char_indices().map(|(start, _)| start).chain([text.len()]);
    ends.nth(count).map(|end| text.split_at(end))
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, value) in &self.0 {
            let value = value.to_string();
            write!(f, "{id:02}{:02}{value}", value.chars().count())?;
        }
        Ok(())
    }
}

impl fmt::Display for DataObjectValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Template(template) => template.fmt(f),
        }
    }
}

impl Serialize for Template {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, value)| (format!("{id:02}"), value)))
    }
}
