//! A JSON text as a tree, from which values are read with errors that name the broken rule.
//!
//! It is stricter than serde: no field may be repeated, also none that is null or unknown, and an object cannot be written as an
//! array. A field that is null means the same as a missing one, because forms in JavaScript send it.

use std::{borrow::Cow, collections::HashSet, fmt};

use guildhall_common::{
    contract::readable,
    invalid_value::{FieldErrorCode, InvalidValue, ValueType},
};
use serde::{
    Deserialize, Deserializer,
    de::{
        Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
        value::{CowStrDeserializer, MapAccessDeserializer, MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};

/// A value of JSON.
#[derive(Debug)]
pub(crate) enum JsonTree<'de> {
    Null,
    Boolean(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Cow<'de, str>),
    Items(Vec<JsonTree<'de>>),
    Fields(Fields<'de>),
}

/// The fields of an object in their order, with repeated ones.
type Fields<'de> = Vec<(String, JsonTree<'de>)>;

impl<'de> Deserialize<'de> for JsonTree<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = JsonTree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(JsonTree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(JsonTree::Boolean(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(JsonTree::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(JsonTree::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(JsonTree::Float(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(JsonTree::Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(JsonTree::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(JsonTree::Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(JsonTree::Fields(fields))
    }
}

impl JsonTree<'_> {
    /// The pointer of the first text that people cannot read, and why. With `skip_items`, the items of lists are not looked at.
    pub(super) fn find_unreadable(&self, skip_items: bool) -> Option<(String, InvalidValue)> {
        let found = |name: &str, part: &Self| {
            let (pointer, error) = part.find_unreadable(skip_items)?;
            Some((format!("/{}{pointer}", escaped(name)), error))
        };
        match self {
            Self::Text(text) => readable::check(text).err().map(|error| (String::new(), error)),
            Self::Items(items) if !skip_items => {
                items.iter().enumerate().find_map(|(index, item)| found(&index.to_string(), item))
            }
            Self::Fields(fields) => fields.iter().find_map(|(name, value)| found(name, value)),
            _ => None,
        }
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Boolean(value) => Unexpected::Bool(*value),
            Self::Unsigned(number) => Unexpected::Unsigned(*number),
            Self::Signed(number) => Unexpected::Signed(*number),
            Self::Float(number) => Unexpected::Float(*number),
            Self::Text(text) => Unexpected::Str(text),
            Self::Items(_) => Unexpected::Seq,
            Self::Fields(_) => Unexpected::Map,
        }
    }

    /// The error that has the expected type as data: serde itself has only a text.
    fn type_error(&self, expected: ValueType, visitor: &dyn Expected) -> InvalidValue {
        InvalidValue::of_type(expected, InvalidValue::invalid_type(self.unexpected(), visitor).detail)
    }
}

/// The name in a JSON pointer, with the escapes of RFC 6901.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The fields that are not null.
///
/// # Errors
/// A field is repeated.
fn present_fields<'de>(
    fields: Fields<'de>,
) -> Result<impl Iterator<Item = (String, JsonTree<'de>)>, InvalidValue> {
    let mut names = HashSet::with_capacity(fields.len());
    if let Some((name, _)) = fields.iter().find(|(name, _)| !names.insert(name)) {
        return Err(InvalidValue::new(FieldErrorCode::DuplicateField, format!("duplicate field `{name}`")));
    }
    Ok(fields.into_iter().filter(|(_, value)| !matches!(value, JsonTree::Null)))
}

impl<'de> IntoDeserializer<'de, InvalidValue> for JsonTree<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Methods that accept values of one type.
macro_rules! deserialize_typed {
    ($($expected:ident: $valid:pat => $($method:ident($($argument:ident: $type:ty),*))+;)+) => {$($(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, InvalidValue> {
            match self {
                $valid => self.deserialize_any(visitor),
                _ => Err(self.type_error(ValueType::$expected, &visitor)),
            }
        }
    )+)+};
}

impl<'de> Deserializer<'de> for JsonTree<'de> {
    type Error = InvalidValue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Boolean(value) => visitor.visit_bool(value),
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Signed(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
            Self::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Self::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Self::Items(items) => {
                let mut items = SeqDeserializer::<_, InvalidValue>::new(items.into_iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Self::Fields(fields) => {
                let mut fields = MapDeserializer::<_, InvalidValue>::new(present_fields(fields)?);
                let value = visitor.visit_map(&mut fields)?;
                fields.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self {
            Self::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, InvalidValue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, InvalidValue> {
        match self {
            Self::Text(name) => visitor.visit_enum(CowStrDeserializer::new(name)),
            Self::Fields(fields) => {
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(present_fields(fields)?)))
            }
            _ => Err(self.type_error(ValueType::String, &visitor)),
        }
    }

    deserialize_typed! {
        Boolean: Self::Boolean(_) => deserialize_bool();
        Integer: Self::Unsigned(_) | Self::Signed(_) =>
            deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
            deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128();
        Number: Self::Unsigned(_) | Self::Signed(_) | Self::Float(_) => deserialize_f32() deserialize_f64();
        String: Self::Text(_) => deserialize_char() deserialize_str() deserialize_string();
        Array: Self::Items(_) =>
            deserialize_seq() deserialize_tuple(_length: usize)
            deserialize_tuple_struct(_name: &'static str, _length: usize);
        Object: Self::Fields(_) =>
            deserialize_map() deserialize_struct(_name: &'static str, _fields: &'static [&'static str]);
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct identifier ignored_any }
}
