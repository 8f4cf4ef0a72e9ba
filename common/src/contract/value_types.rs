//! Macros that declare value types: parsed once, so that every value is valid.
//!
//! The OpenAPI document describes each type by the rule that parses it.

#[doc(hidden)]
pub use regex::Regex;

/// The text without surrounding spaces.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(' ')
}

/// Declares text types with a length and a pattern. The OpenAPI document shows the same pattern that the parser checks.
/// A `trimmed` type removes surrounding spaces. Every other type keeps the text as it is.
#[macro_export]
macro_rules! text_types {
    ($($(#[doc = $doc:literal])* $name:ident {
        $min:literal ..= $max:literal, $pattern:expr, $example:literal $(, $trimmed:ident)?
    })+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl std::str::FromStr for $name {
            type Err = $crate::invalid_value::InvalidValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                static PATTERN: std::sync::LazyLock<$crate::contract::value_types::Regex> =
                    std::sync::LazyLock::new(|| {
                        $crate::contract::value_types::Regex::new($pattern).expect("a valid pattern")
                    });
                $(let text = $crate::contract::value_types::$trimmed(text);)?
                let characters = text.chars().count();
                if !($min..=$max).contains(&characters) {
                    return Err(Self::Err::length(characters, $min, $max));
                }
                if !PATTERN.is_match(text) {
                    return Err(Self::Err::pattern($pattern));
                }
                Ok(Self(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::invalid_value::InvalidValue;

            fn try_from(text: String) -> Result<Self, Self::Error> {
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
            /// The text in lower case, for comparisons without regard to case.
            #[must_use]
            pub fn key(&self) -> String {
                self.0.to_ascii_lowercase()
            }
        }

        $crate::openapi_schema!(named $name, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
            let description = concat!($($doc),*).trim();
            schema.description = (!description.is_empty()).then_some(description);
            schema.min_length = ($min > 0).then_some($min);
            schema.max_length = Some($max);
            schema.pattern = Some($pattern.to_owned());
            schema.example = Some($example.into());
        });
    )+};
}

/// Declares integer types with a lowest and a highest value.
#[macro_export]
macro_rules! number_types {
    ($($(#[doc = $doc:literal])* $name:ident($inner:ident, $format:literal $(, $named:ident)?) { $min:literal ..= $max:expr, $example:literal })+) => {$(
        $(#[doc = $doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
        )]
        #[serde(try_from = "i64", into = "i64")]
        #[sqlx(transparent)]
        pub struct $name($inner);

        impl $name {
            #[must_use]
            pub fn get(self) -> $inner {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = $crate::invalid_value::InvalidValue;

            fn try_from(number: i64) -> Result<Self, Self::Error> {
                $inner::try_from(number)
                    .ok()
                    .filter(|number| ($min..=$max).contains(number))
                    .map(Self)
                    .ok_or_else(|| Self::Error::range(i64::from($min), i64::from($max)))
            }
        }

        impl From<$name> for i64 {
            fn from(number: $name) -> Self {
                number.0.into()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::invalid_value::InvalidValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse::<i64>().map_err(|_| Self::Err::whole_number())?.try_into()
            }
        }

        $crate::openapi_schema!($($named)? $name, "integer", |schema: &mut poem_openapi::registry::MetaSchema| {
            let description = concat!($($doc),*).trim();
            schema.description = (!description.is_empty()).then_some(description);
            schema.format = Some($format);
            schema.minimum = Some(f64::from($min));
            // A double cannot represent larger numbers exactly. The format shows the bound instead.
            schema.maximum = (i64::from($max) < 1 << 53).then_some($max as f64);
            schema.example = Some($example.into());
        });
    )+};
}

/// Declares id types. The database counts ids from 1.
#[macro_export]
macro_rules! id_types {
    ($($(#[doc = $doc:tt])* $name:ident)+) => {
        $crate::number_types! {$(
            $(#[doc = $doc])*
            $name(i64, "int64", named) { 1 ..= i64::MAX, 1 }
        )+}
    };
}

/// Declares types of ids that are UUIDs.
#[macro_export]
macro_rules! uuid_ids {
    ($($(#[doc = $doc:literal])* $name:ident)+) => {$(
        $(#[doc = $doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
        )]
        #[serde(try_from = "String")]
        #[sqlx(transparent)]
        pub struct $name(uuid::Uuid);

        impl $name {
            #[must_use]
            pub fn get(self) -> uuid::Uuid {
                self.0
            }
        }

        impl From<uuid::Uuid> for $name {
            fn from(id: uuid::Uuid) -> Self {
                Self(id)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::invalid_value::InvalidValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let format = $crate::invalid_value::ValueFormat::Uuid;
                text.parse().map(Self).map_err(|_| Self::Err::format(format, "must be a UUID"))
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::invalid_value::InvalidValue;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        $crate::openapi_schema!(named $name, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
            let description = concat!($($doc),*).trim();
            schema.description = (!description.is_empty()).then_some(description);
            schema.format = Some("uuid");
            schema.example = Some("0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".into());
        });
    )+};
}

/// Implements the traits of poem-openapi for a value type. A `named` type has one schema in the OpenAPI document, so
/// generated clients have a type for it. The schema of any other type is repeated wherever it is used.
#[macro_export]
macro_rules! openapi_schema {
    (named $name:ident, $ty:literal, $describe:expr) => {
        $crate::openapi_schema!(@value $name {
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
        $crate::openapi_schema!(@value $name {
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

        impl poem_openapi::types::ToJSON for $name {
            fn to_json(&self) -> Option<serde_json::Value> {
                serde_json::to_value(self).ok()
            }
        }
    };
}

/// Declares the examples of the OpenAPI document. They are parsed like a request.
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
