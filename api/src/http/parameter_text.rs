//! The text of a parameter, from which serde reads a value of any type.

use guildhall_common::invalid_value::{InvalidValue, ValueType};
use serde::{
    Deserializer,
    de::{Error, IntoDeserializer, Visitor},
    forward_to_deserialize_any,
};

/// The text of a parameter. None if the request does not have it.
#[derive(Clone, Copy)]
pub(super) struct ParameterText<'a>(pub(super) Option<&'a str>);

impl<'a> ParameterText<'a> {
    fn text(self) -> Result<&'a str, InvalidValue> {
        self.0.ok_or_else(|| InvalidValue::missing_field("parameter"))
    }
}

impl<'de> Deserializer<'de> for ParameterText<'_> {
    type Error = InvalidValue;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        visitor.visit_str(self.text()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        let value = self.text()?.parse();
        let invalid = |_| InvalidValue::of_type(ValueType::Boolean, "must be true or false");
        visitor.visit_bool(value.map_err(invalid)?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        visitor.visit_i64(self.text()?.parse().map_err(|_| InvalidValue::whole_number())?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, InvalidValue> {
        match self.0 {
            None => visitor.visit_none(),
            Some(_) => visitor.visit_some(self),
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
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use guildhall_common::{
        contract::{guild::LogoSize, values::Limit},
        invalid_value::FieldErrorCode,
    };
    use serde::{Deserialize, de::DeserializeOwned};

    use super::*;

    fn code_of<T: DeserializeOwned + Debug>(text: Option<&str>) -> FieldErrorCode {
        T::deserialize(ParameterText(text)).unwrap_err().code
    }

    #[test]
    fn a_parameter_is_read_by_its_type() {
        fn read<T: DeserializeOwned>(text: &str) -> T {
            T::deserialize(ParameterText(Some(text))).unwrap()
        }
        assert_eq!((read::<Limit>("7").get(), read::<bool>("true")), (7, true));
        assert_eq!(
            (read::<LogoSize>("small"), read::<Option<String>>("x").as_deref()),
            (LogoSize::Small, Some("x"))
        );
        assert_eq!(Option::<Limit>::deserialize(ParameterText(None)).unwrap(), None);
    }

    #[test]
    fn the_error_of_a_parameter_names_the_broken_rule() {
        assert_eq!(code_of::<Limit>(None), FieldErrorCode::Required);
        assert_eq!(code_of::<Option<Limit>>(Some("0")), FieldErrorCode::OutOfRange);
        assert_eq!(code_of::<Limit>(Some("x")), FieldErrorCode::InvalidType);
        assert_eq!(code_of::<bool>(Some("yes")), FieldErrorCode::InvalidType);
        assert_eq!(code_of::<LogoSize>(Some("huge")), FieldErrorCode::InvalidChoice);
    }
}
