//! Fields that may be null, which the document tells apart from those that may only be missing (`Option`).

use std::borrow::Cow;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Serialize};

/// May be null, and is always there unless `REQUIRED` is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nullable<T, const REQUIRED: bool = true>(pub Option<T>);

/// May be null or missing, and both mean the same.
pub type Optional<T> = Nullable<T, false>;

impl<T, const REQUIRED: bool> Default for Nullable<T, REQUIRED> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T, const REQUIRED: bool> From<Option<T>> for Nullable<T, REQUIRED> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T: Type, const REQUIRED: bool> Type for Nullable<T, REQUIRED> {
    const IS_REQUIRED: bool = REQUIRED;
    type RawValueType = T::RawValueType;
    type RawElementValueType = T::RawElementValueType;

    fn name() -> Cow<'static, str> {
        format!("nullable_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let schema = match T::schema_ref() {
            MetaSchemaRef::Inline(schema) => MetaSchema { nullable: true, ..*schema },
            // OpenAPI 3.0 ignores what stands beside a $ref.
            reference => MetaSchema { all_of: vec![reference], nullable: true, ..MetaSchema::ANY },
        };
        MetaSchemaRef::Inline(Box::new(schema))
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        self.0.as_ref().and_then(T::as_raw_value)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
        match &self.0 {
            Some(value) => value.raw_element_iter(),
            None => Box::new(std::iter::empty()),
        }
    }
}

impl<T: ParseFromJSON, const REQUIRED: bool> ParseFromJSON for Nullable<T, REQUIRED> {
    fn parse_from_json(value: Option<serde_json::Value>) -> ParseResult<Self> {
        match value {
            None | Some(serde_json::Value::Null) => Ok(Self(None)),
            some => T::parse_from_json(some).map(|value| Self(Some(value))).map_err(ParseError::propagate),
        }
    }
}

impl<T: ToJSON, const REQUIRED: bool> ToJSON for Nullable<T, REQUIRED> {
    fn to_json(&self) -> Option<serde_json::Value> {
        Some(self.0.as_ref().and_then(T::to_json).unwrap_or_default())
    }
}
