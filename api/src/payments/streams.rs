//! The limit of event streams per account.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guildhall_common::contract::account::AccountId;

/// The maximum number of open streams of one account.
pub(crate) const MAX_STREAMS: usize = 10;

/// The number of open streams of each account.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<HashMap<AccountId, usize>>>);

/// Permits one stream. Dropping it releases the permit.
pub(crate) struct StreamPermit {
    streams: Streams,
    account_id: AccountId,
}

impl Streams {
    /// A permit, unless the account has too many open streams.
    pub(crate) fn acquire(&self, account_id: AccountId) -> Option<StreamPermit> {
        let mut streams = self.lock();
        let open = streams.entry(account_id).or_default();
        (*open < MAX_STREAMS).then(|| {
            *open += 1;
            StreamPermit { streams: self.clone(), account_id }
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut streams = self.streams.lock();
        if let Some(open) = streams.get_mut(&self.account_id) {
            *open -= 1;
            if *open == 0 {
                streams.remove(&self.account_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_has_a_limit_of_streams() {
        let [first, second] = [1, 2].map(|id| AccountId::try_from(id).unwrap());
        let streams = Streams::default();
        let mut permits: Vec<_> = (0..MAX_STREAMS).map(|_| streams.acquire(first).unwrap()).collect();
        assert!(streams.acquire(first).is_none());
        assert!(streams.acquire(second).is_some());
        permits.pop();
        assert!(streams.acquire(first).is_some());
        permits.clear();
        assert!(streams.lock().is_empty());
    }
}
