//! Why a text is no payment payload, or some fields make none.

use super::{
    emv::{EmvError, Path},
    field::FieldError,
};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// The general rules of EMV payloads are broken.
    #[error(transparent)]
    Emv(#[from] EmvError),
    /// A rule of the scheme is broken.
    #[error("{path} {error}")]
    Field { path: Path, error: FieldError },
    /// A rule of EPC069-12 is broken, in this line; the first is 1.
    #[error("line {line} {error}")]
    Line { line: usize, error: FieldError },
    #[error("an EPC payload has at most 12 lines and 331 bytes")]
    EpcSize,
}

impl FieldError {
    #[must_use]
    pub fn at(self, path: &[u8]) -> PayloadError {
        PayloadError::Field { path: path.into(), error: self }
    }

    pub(super) fn in_line(self, line: usize) -> PayloadError {
        PayloadError::Line { line, error: self }
    }
}
