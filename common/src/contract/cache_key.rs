//! The keys of cached responses.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The key of everything in the cache that becomes invalid together: one guild, or all pages of a list.
///
/// A key is made beside the commands that invalidate it, in the file of their domain.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CacheKey(String);

impl CacheKey {
    /// A key of this kind. A kind of which there is only one has an empty id.
    #[must_use]
    pub fn new(kind: &str, id: &str) -> Self {
        Self(if id.is_empty() { kind.to_owned() } else { format!("{kind}:{id}") })
    }

    /// A key as it was stored with an operation.
    #[must_use]
    pub fn from_stored(key: String) -> Self {
        Self(key)
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
