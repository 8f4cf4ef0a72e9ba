//! Values that cannot be wrong: parsed once, at the edge, and described in the
//! OpenAPI document by the very rule they are parsed with.

use std::str::FromStr;

use chrono::{DateTime, Datelike, Utc};

/// Declares bounded texts. The pattern is both the check and the document's. Of a `trimmed`
/// one, surrounding spaces are no part; any other is kept as it was written.
#[macro_export]
macro_rules! texts {
    ($($(#[doc = $doc:literal])* $name:ident {
        $min:literal ..= $max:literal, $pattern:expr, $example:literal $(, $trimmed:ident)?
    })+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                static PATTERN: std::sync::LazyLock<regex::Regex> =
                    std::sync::LazyLock::new(|| regex::Regex::new($pattern).expect("a valid pattern"));
                $(let text = $crate::values::$trimmed(text);)?
                if !($min..=$max).contains(&text.chars().count()) {
                    return Err(format!("must have {} to {} characters", $min, $max));
                }
                if !PATTERN.is_match(text) {
                    return Err(format!("must match {}", $pattern));
                }
                Ok(Self(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl $name {
            /// The form that is compared and looked up: without regard to case.
            #[must_use]
            pub fn key(&self) -> String {
                self.0.to_ascii_lowercase()
            }
        }

        $crate::schema!(named $name, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
            let description = concat!($($doc),*).trim();
            schema.description = (!description.is_empty()).then_some(description);
            schema.min_length = ($min > 0).then_some($min);
            schema.max_length = Some($max);
            schema.pattern = Some($pattern.to_owned());
            schema.example = Some($example.into());
        });
    )+};
}

/// Declares whole numbers within bounds.
#[macro_export]
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident($inner:ident, $format:literal $(, $named:ident)?) { $min:literal ..= $max:expr, $example:literal })+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "i64", into = "i64")]
        pub struct $name($inner);

        impl $name {
            #[must_use]
            pub fn get(self) -> $inner {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = String;

            fn try_from(number: i64) -> Result<Self, String> {
                $inner::try_from(number)
                    .ok()
                    .filter(|number| ($min..=$max).contains(number))
                    .map(Self)
                    .ok_or_else(|| format!("must be from {} to {}", $min, $max))
            }
        }

        impl From<$name> for i64 {
            fn from(number: $name) -> Self {
                number.0.into()
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                text.parse::<i64>().map_err(|_| "must be a whole number".to_owned())?.try_into()
            }
        }

        $crate::schema!($($named)? $name, "integer", |schema: &mut poem_openapi::registry::MetaSchema| {
            let description = concat!($($doc),*).trim();
            schema.description = (!description.is_empty()).then_some(description);
            schema.format = Some($format);
            schema.minimum = Some(f64::from($min));
            // The format says it where a double cannot.
            schema.maximum = (i64::from($max) < 1 << 53).then_some($max as f64);
            schema.example = Some($example.into());
        });
    )+};
}

/// Declares ids, which the database counts from 1.
#[macro_export]
macro_rules! ids {
    ($($(#[doc = $doc:tt])* $name:ident)+) => {
        $crate::numbers! {$(
            $(#[doc = $doc])*
            $name(i64, "int64", named) { 1 ..= i64::MAX, 1 }
        )+}
    };
}

/// The part that poem-openapi needs of a value: its schema, and the way in and out. One that is `named` is
/// described once in the document, for the type that a client makes of it; any other wherever it is used.
#[macro_export]
macro_rules! schema {
    (named $name:ident, $ty:literal, $describe:expr) => {
        $crate::schema!(@value $name {
            fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
                poem_openapi::registry::MetaSchemaRef::Reference(stringify!($name).to_owned())
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                registry.create_schema::<Self, _>(stringify!($name).to_owned(), |_| {
                    let mut schema = poem_openapi::registry::MetaSchema::new($ty);
                    ($describe)(&mut schema);
                    schema
                });
            }
        });
    };
    ($name:ident, $ty:literal, $describe:expr) => {
        $crate::schema!(@value $name {
            fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
                let mut schema = poem_openapi::registry::MetaSchema::new($ty);
                ($describe)(&mut schema);
                poem_openapi::registry::MetaSchemaRef::Inline(Box::new(schema))
            }
        });
    };
    (@value $name:ident { $($schema:item)+ }) => {
        impl poem_openapi::types::Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            $($schema)+

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl poem_openapi::types::ParseFromJSON for $name {
            fn parse_from_json(value: Option<serde_json::Value>) -> poem_openapi::types::ParseResult<Self> {
                serde_json::from_value(value.unwrap_or_default())
                    .map_err(poem_openapi::types::ParseError::custom)
            }
        }

        impl poem_openapi::types::ParseFromParameter for $name {
            fn parse_from_parameter(value: &str) -> poem_openapi::types::ParseResult<Self> {
                value.parse::<Self>().map_err(poem_openapi::types::ParseError::custom)
            }
        }

        impl poem_openapi::types::ToJSON for $name {
            fn to_json(&self) -> Option<serde_json::Value> {
                serde_json::to_value(self).ok()
            }
        }
    };
}

/// Declares the examples that the document shows: they go through the same parsing as a request.
#[macro_export]
macro_rules! examples {
    ($($name:ident $example:tt)+) => {$(
        impl poem_openapi::types::Example for $name {
            fn example() -> Self {
                serde_json::from_value(serde_json::json!($example)).expect("an example that can be parsed")
            }
        }
    )+};
}

/// Surrounding spaces are no part of a name.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(' ')
}

/// One line with something in it. No `\s` here: the engines of other languages mean something else by it.
pub const TITLE: &str = r"^[^\x00-\x1F\x7F]*[^\x00-\x20\x7F\xA0][^\x00-\x1F\x7F]*$";

/// One line of free text: no control characters.
pub const LINE: &str = r"^[^\x00-\x1F\x7F]*$";

/// Free text of several lines: tabs and line ends, no other control characters.
pub const LINES: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$";

/// A name of letters, with single spaces, apostrophes and hyphens inside. ASCII
/// alone, because look-alikes of other alphabets pass for somebody else.
pub const LETTERS: &str = r"^[A-Za-z]+([ '-][A-Za-z]+)*$";

/// The same, digits included.
pub const LETTERS_AND_DIGITS: &str = r"^[A-Za-z0-9]+([ '-][A-Za-z0-9]+)*$";

numbers! {
    /// 1 is the first page.
    Page(i64, "int64") { 1 ..= 1_000_000_000, 1 }
    /// Items on a page.
    Limit(i64, "int64") { 1 ..= 100, 20 }
}

impl Page {
    /// How many items come before this page.
    #[must_use]
    pub fn offset(self, limit: Limit) -> i64 {
        (self.get() - 1) * limit.get()
    }
}

/// A moment in the years 1 to 9999 of UTC, written as RFC 3339.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Moment(pub DateTime<Utc>);

impl FromStr for Moment {
    type Err = String;

    /// Stricter than chrono, which takes a space for the `T` and years of any length.
    fn from_str(text: &str) -> Result<Self, String> {
        let strict =
            text.len() >= 20 && text.as_bytes()[4] == b'-' && text.as_bytes()[10].eq_ignore_ascii_case(&b'T');
        let moment = DateTime::parse_from_rfc3339(text).ok().filter(|_| strict).map(|moment| moment.to_utc());
        let moment = moment.filter(|moment| (1..=9999).contains(&moment.year()));
        moment.map(Self).ok_or_else(|| "must be a time as of RFC 3339: 2030-01-31T12:00:00Z".to_owned())
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

crate::schema!(Moment, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
    schema.format = Some("date-time");
    schema.example = Some("2030-01-31T12:00:00Z".into());
});

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn moments_are_rfc_3339() {
        for good in ["2030-01-31T12:00:00Z", "2030-01-31t12:00:00.123456789+02:00", "0001-01-02T00:00:00z"] {
            good.parse::<Moment>().unwrap();
        }
        for bad in [
            "2030-01-31 12:00:00Z",
            "+10000-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59-23:59",
            "0000-01-01T00:00:00Z",
            "2030-01-31",
            "2030-02-30T00:00:00Z",
            "é030-01-31T12:00:00Z",
            "",
        ] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }
}
