//! One notification of a payment provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::invalid_value::{FieldErrorCode, FieldErrorParameters, InvalidValue, ValueFormat, ValueType};

/// The maximum number of levels of nested arrays and objects in a body. Workers parse 128, which includes the envelope; no bank
/// needs ten.
pub(super) const MAX_DEPTH: usize = 64;

/// One notification, as the provider sent it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notification {
    /// The sender's id of the notification, if it has one. A repeated notification has the same id.
    pub id: Option<String>,
    pub body: Value,
}

/// Why the body of a notification cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableNotification {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("must have at most {MAX_DEPTH} levels")]
    TooDeep,
    /// A field that must be a list is something else.
    #[error("must be an array")]
    NotArray {
        /// The place of the field as a JSON pointer (RFC 6901).
        pointer: &'static str,
    },
}

impl From<UnreadableNotification> for InvalidValue {
    fn from(error: UnreadableNotification) -> Self {
        let detail = error.to_string();
        match error {
            UnreadableNotification::Json(error) if error.is_data() => {
                Self::of_type(ValueType::Object, detail)
            }
            UnreadableNotification::Json(_) => Self::format(ValueFormat::Json, detail),
            UnreadableNotification::TooDeep => {
                Self::new(FieldErrorCode::TooDeep, detail).with(FieldErrorParameters::up_to(MAX_DEPTH))
            }
            UnreadableNotification::NotArray { .. } => Self::of_type(ValueType::Array, detail),
        }
    }
}

impl UnreadableNotification {
    /// The place of the error as a JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> &'static str {
        match self {
            Self::Json(_) | Self::TooDeep => "",
            Self::NotArray { pointer } => pointer,
        }
    }
}
