//! The error of a webhook body that cannot be read.

/// The maximum number of levels of nested arrays and objects in a body. Workers parse 128, which includes the envelope; no bank
/// needs ten.
pub(super) const MAX_DEPTH: usize = 64;

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
