//! The loads from the database that are in progress, and the counters of reads. Reads that miss at the same time share a load.

use std::{collections::HashMap, sync::Arc};

use metrics::Counter;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use super::body::CachedBody;

/// One load in progress: the key, the field, and the token of the hash.
pub(super) type Load = (String, String, String);

/// The loads in progress of a process.
#[derive(Clone, Default)]
pub(super) struct Loads(Arc<Mutex<HashMap<Load, Arc<OnceCell<CachedBody>>>>>);

impl Loads {
    /// Joins a load, which the first read that joins it starts.
    pub(super) fn join<'a>(&'a self, load: &'a Load) -> SharedLoad<'a> {
        let body = self.0.lock().entry(load.clone()).or_default().clone();
        SharedLoad { loads: self, load, body }
    }
}

/// One of the reads that share a load. The last one removes the load from the list, also when it is dropped before the load ends.
pub(super) struct SharedLoad<'a> {
    loads: &'a Loads,
    load: &'a Load,
    pub(super) body: Arc<OnceCell<CachedBody>>,
}

impl Drop for SharedLoad<'_> {
    fn drop(&mut self) {
        let mut loads = self.loads.0.lock();
        // It is released under the lock, so that the last of several reads finds only the reference of the list.
        drop(std::mem::take(&mut self.body));
        if loads.get(self.load).is_some_and(|body| Arc::strong_count(body) == 1) {
            loads.remove(self.load);
        }
    }
}

/// How many reads had which result.
#[derive(Clone)]
pub(super) struct ReadCounters {
    pub(super) hit: Counter,
    pub(super) miss: Counter,
    /// The cache was unavailable.
    pub(super) bypass: Counter,
}

impl Default for ReadCounters {
    fn default() -> Self {
        let with_result = |result| metrics::counter!("guildhall_cache_reads_total", "result" => result);
        Self { hit: with_result("hit"), miss: with_result("miss"), bypass: with_result("bypass") }
    }
}
