//! Where an EMV payload is wrong, and how.

use std::fmt;

/// The ids that lead to an object, outermost first; displayed as `62.05`. None: the whole payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<u8>);

impl From<&[u8]> for Path {
    fn from(ids: &[u8]) -> Self {
        Self(ids.to_vec())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the payload");
        }
        for (depth, id) in self.0.iter().enumerate() {
            let dot = if depth == 0 { "" } else { "." };
            write!(f, "{dot}{id:02}")?;
        }
        Ok(())
    }
}

/// An EMV payload breaks a rule of EMVCo MPM v1.1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} {fault}")]
pub struct EmvError {
    pub path: Path,
    pub fault: Fault,
}

/// The rules that can be broken. Each reads after the place: `62.05 is there twice`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("has more than {} bytes", super::MAX_BYTES)]
    TooLong,
    #[error("has a control character")]
    ControlCharacter,
    #[error("has no two-digit id and length where an object must begin, at {0:?}")]
    NoObject(String),
    #[error("ends within a value")]
    CutOff,
    #[error("must have 1 to {max} characters")]
    Length { max: usize },
    #[error("is there twice")]
    Repeated,
    #[error("must be there, as the first object")]
    NotFirst,
    #[error("must be there, as the last object")]
    NotLast,
    #[error("must be {expected}, the checksum of what precedes it")]
    Checksum { expected: String },
    #[error("is missing")]
    Missing,
    #[error("must be {0}")]
    Form(&'static str),
}

impl Fault {
    pub(crate) fn at(self, path: &[u8]) -> EmvError {
        EmvError { path: path.into(), fault: self }
    }
}
