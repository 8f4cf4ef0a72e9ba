//! The error of a whole payload: it names the place and the broken rule.

use super::{
    emv::{DataObjectPath, EmvError},
    field_error::PayloadFieldError,
};

/// A text is not a valid payload, or fields do not make a valid payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// The payload breaks a general rule of EMVCo MPM v1.1.
    #[error(transparent)]
    Emv(#[from] EmvError),
    /// A data object breaks a rule of its scheme.
    #[error("{path} {error}")]
    Field { path: DataObjectPath, error: PayloadFieldError },
    /// A line breaks a rule of EPC069-12. The first line is 1.
    #[error("line {line} {error}")]
    Line { line: usize, error: PayloadFieldError },
    #[error("an EPC payload must have at most 12 lines and 331 bytes")]
    EpcSize,
}

impl PayloadFieldError {
    /// The error of the data object at this path of IDs. `[62, 5]` is the reference label.
    #[must_use]
    pub fn at(self, path: &[u8]) -> PayloadError {
        PayloadError::Field { path: path.into(), error: self }
    }

    /// The error of this line of an EPC payload. The first line is 1.
    pub(super) fn in_line(self, line: usize) -> PayloadError {
        PayloadError::Line { line, error: self }
    }
}
