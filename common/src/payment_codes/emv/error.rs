//! Errors of EMV payloads: the place and the broken rule.

use std::fmt;

use super::format::MAX_PAYLOAD_BYTES;

/// The IDs that lead to a data object, outermost first: `data object 62.05`. An empty path is the
/// whole payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataObjectPath(Vec<u8>);

impl From<&[u8]> for DataObjectPath {
    fn from(ids: &[u8]) -> Self {
        Self(ids.to_vec())
    }
}

impl fmt::Display for DataObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the payload");
        }
        f.write_str("data object ")?;
        for (depth, id) in self.0.iter().enumerate() {
            let dot = if depth == 0 { "" } else { "." };
            write!(f, "{dot}{id:02}")?;
        }
        Ok(())
    }
}

/// An EMV payload breaks a rule of EMVCo MPM v1.1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} {violation}")]
pub struct EmvError {
    pub path: DataObjectPath,
    pub violation: EmvRuleViolation,
}

/// A broken rule. The text follows the place: `data object 62.05 must occur only once`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmvRuleViolation {
    #[error("must have at most {MAX_PAYLOAD_BYTES} bytes")]
    TooLong,
    #[error("must not have control characters")]
    ControlCharacter,
    #[error("must have a data object (2-digit ID, 2-digit length, value) at {0:?}")]
    NotADataObject(String),
    #[error("is shorter than its length says")]
    CutOff,
    #[error("must have 1 to {max} characters")]
    Length { max: usize },
    #[error("must occur only once")]
    Repeated,
    #[error("must be the first data object")]
    NotFirst,
    #[error("must be the last data object")]
    NotLast,
    #[error("must be {expected}, the CRC of the preceding text")]
    Checksum { expected: String },
    #[error("is required")]
    Missing,
    #[error("must be {0}")]
    Format(&'static str),
}

impl EmvRuleViolation {
    pub(super) fn at(self, path: &[u8]) -> EmvError {
        EmvError { path: path.into(), violation: self }
    }
}
