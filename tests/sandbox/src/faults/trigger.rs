//! When a fault occurs.

use serde::{Deserialize, Serialize};

/// The trigger of a fault: `2` means the next two times, `{"probability": 0.5}` means a random half of the
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields, expecting = "a count, or an object with a probability")]
pub(crate) enum FaultTrigger {
    Count(u32),
    Probability { probability: f64 },
}

impl Default for FaultTrigger {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl FaultTrigger {
    /// Returns whether the fault occurs now. A count goes down by one.
    pub(crate) fn fires(&mut self) -> bool {
        match self {
            Self::Count(0) => false,
            Self::Count(left) => {
                *left -= 1;
                true
            }
            Self::Probability { probability } => rand::random::<f64>() < *probability,
        }
    }
}
