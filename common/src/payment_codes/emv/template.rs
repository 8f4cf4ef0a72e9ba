//! A list of objects, as text and as a tree.

use std::fmt;

use serde::Serialize;

use super::{EmvError, Fault, rules};

/// Objects in their order: id, value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template(pub(super) Vec<(u8, Value)>);

/// What an object holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Text(String),
    Template(Template),
}

impl Template {
    /// Appends an object.
    #[must_use]
    pub fn with(mut self, id: u8, text: impl fmt::Display) -> Self {
        self.0.push((id, Value::Text(text.to_string())));
        self
    }

    /// Appends an object if there is something to put into it.
    #[must_use]
    pub fn with_some(self, id: u8, text: Option<impl fmt::Display>) -> Self {
        match text {
            Some(text) => self.with(id, text),
            None => self,
        }
    }

    /// Appends a template, unless it is empty: there are no objects of no length.
    #[must_use]
    pub fn with_template(mut self, id: u8, template: Self) -> Self {
        if !template.0.is_empty() {
            self.0.push((id, Value::Template(template)));
        }
        self
    }

    #[must_use]
    pub fn text(&self, id: u8) -> Option<&str> {
        match self.value(id)? {
            Value::Text(text) => Some(text),
            Value::Template(_) => None,
        }
    }

    #[must_use]
    pub fn template(&self, id: u8) -> Option<&Self> {
        match self.value(id)? {
            Value::Template(template) => Some(template),
            Value::Text(_) => None,
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(|(id, _)| *id)
    }

    fn value(&self, id: u8) -> Option<&Value> {
        self.0.iter().find(|(found, _)| *found == id).map(|(_, value)| value)
    }

    /// Reads all of a text as objects; `path` is where the text was found.
    ///
    /// # Errors
    /// It is cut off, has something between its objects, an object of no length or an id twice.
    pub fn parse(text: &str, path: &[u8]) -> Result<Self, EmvError> {
        let mut objects = Self::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (id, length, after) =
                head(rest).ok_or_else(|| Fault::NoObject(rest.chars().take(8).collect()).at(path))?;
            let path = [path, &[id]].concat();
            if length == 0 {
                return Err(Fault::Length { max: rules::MAX_LENGTH }.at(&path));
            }
            if objects.value(id).is_some() {
                return Err(Fault::Repeated.at(&path));
            }
            let (value, after) = split(after, length).ok_or_else(|| Fault::CutOff.at(&path))?;
            objects.0.push((id, Value::parse(value, &path)?));
            rest = after;
        }
        Ok(objects)
    }
}

impl Value {
    fn parse(text: &str, path: &[u8]) -> Result<Self, EmvError> {
        if rules::is_template(path) {
            Template::parse(text, path).map(Self::Template)
        } else {
            Ok(Self::Text(text.to_owned()))
        }
    }
}

/// Id and length at the beginning of a text, and what follows them.
fn head(text: &str) -> Option<(u8, usize, &str)> {
    let (head, rest) = text.split_at_checked(4)?;
    // Digits alone: `parse` would take a plus sign.
    if !head.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((head[..2].parse().ok()?, head[2..].parse().ok()?, rest))
}

/// The first characters of a text, and what follows them; none if there are fewer.
fn split(text: &str, characters: usize) -> Option<(&str, &str)> {
    let mut ends = text.char_indices().map(|(start, _)| start).chain([text.len()]);
    ends.nth(characters).map(|end| text.split_at(end))
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

impl fmt::Display for Value {
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
