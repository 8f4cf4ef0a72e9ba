//! A fault that was injected. Times count from the start of the journal.

use std::time::Duration;

use super::fault::Fault;

pub(super) struct InjectedFault {
    pub fault: Fault,
    /// Whether no other fault was active at the same time.
    pub is_alone: bool,
    pub started: Duration,
    pub ended: Duration,
    /// The end of the last of the faults that were active at the same time.
    pub all_ended: Duration,
    /// When the site had recovered and the next fault could start.
    pub next_started: Duration,
}
