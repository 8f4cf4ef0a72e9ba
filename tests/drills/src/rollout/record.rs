//! The outcomes that all clients received, and counts of what they did.

use std::collections::{BTreeMap, HashMap};

use anyhow::ensure;
use parking_lot::Mutex;
use serde_json::Value;
use uuid::Uuid;

use crate::journal::ReportedOutcome;

#[derive(Default)]
pub(super) struct Record(Mutex<RecordState>);

#[derive(Default)]
struct RecordState {
    outcomes: HashMap<Uuid, ReportedOutcome>,
    counts: BTreeMap<&'static str, usize>,
}

impl Record {
    /// Records the result of an operation.
    ///
    /// # Errors
    /// When the operation is known with another key or another outcome.
    pub(super) fn add(&self, operation_id: Uuid, key: Uuid, result: &Value) -> anyhow::Result<()> {
        let reported = ReportedOutcome { key, outcome: Ok(result.clone()) };
        let mut state = self.0.lock();
        let known = state.outcomes.entry(operation_id).or_insert_with(|| reported.clone());
        ensure!(
            *known == reported,
            "duplicated: the operation {operation_id} has two outcomes: {known:?} and {reported:?}"
        );
        Ok(())
    }

    pub(super) fn count(&self, what: &'static str) {
        *self.0.lock().counts.entry(what).or_default() += 1;
    }

    pub(super) fn outcomes(&self) -> HashMap<Uuid, ReportedOutcome> {
        self.0.lock().outcomes.clone()
    }

    pub(super) fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.0.lock().counts.clone()
    }
}
