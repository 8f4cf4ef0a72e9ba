//! The solutions that were used, each with the request that has used it.
//!
//! Redis has them for all processes. Each process also has its own: without Redis a solution can be used once at each api.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use guildhall_common::{contract::cache_key::CacheKey, platform::cache::Cache};
use parking_lot::Mutex;

use super::verifier::SolutionId;

/// How long a used solution is remembered: longer than any captcha is valid, because the clocks of machines differ.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// The maximum number of solutions that the process remembers. They need about 10 MB.
const MAX_REMEMBERED: usize = 50_000;

pub(super) struct UsedSolutions {
    cache: Cache,
    here: Mutex<Remembered>,
}

impl UsedSolutions {
    pub(super) fn new(cache: Cache) -> Self {
        Self { cache, here: Mutex::default() }
    }

    /// The request that has used a solution.
    pub(super) async fn find(&self, id: SolutionId) -> Option<String> {
        if let Some(user) = self.here.lock().find(id, Instant::now()) {
            return Some(user);
        }
        self.cache.claimed_by(&key(id)).await.unwrap_or_default()
    }

    /// Remembers that a request uses a solution. Returns the first request that has used it: this one, or an earlier one.
    pub(super) async fn claim(&self, id: SolutionId, user: &str) -> String {
        let claimed = self.cache.claim(&key(id), user, KEPT).await;
        let first = claimed.as_deref().unwrap_or(user);
        self.here.lock().claim(id, first, Instant::now())
    }
}

fn key(id: SolutionId) -> CacheKey {
    CacheKey::new("captcha", &hex::encode(id.0))
}

/// The newest solutions that were used at this process.
#[derive(Default)]
struct Remembered {
    users: HashMap<SolutionId, String>,
    /// In the order of their times.
    claims: VecDeque<(Instant, SolutionId)>,
}

impl Remembered {
    fn find(&mut self, id: SolutionId, now: Instant) -> Option<String> {
        self.remove_expired(now);
        self.users.get(&id).cloned()
    }

    fn claim(&mut self, id: SolutionId, user: &str, now: Instant) -> String {
        if let Some(first) = self.find(id, now) {
            return first;
        }
        if self.claims.len() >= MAX_REMEMBERED {
            self.remove_oldest();
        }
        self.users.insert(id, user.to_owned());
        self.claims.push_back((now, id));
        user.to_owned()
    }

    fn remove_expired(&mut self, now: Instant) {
        while self.claims.front().is_some_and(|(claimed_at, _)| now.duration_since(*claimed_at) >= KEPT) {
            self.remove_oldest();
        }
    }

    fn remove_oldest(&mut self) {
        if let Some((_, id)) = self.claims.pop_front() {
            self.users.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> SolutionId {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        SolutionId(bytes)
    }

    #[test]
    fn first_user_is_remembered_until_the_solution_expires() {
        let (mut remembered, start) = (Remembered::default(), Instant::now());
        assert_eq!(remembered.claim(id(1), "a", start), "a");
        assert_eq!(remembered.claim(id(1), "b", start + KEPT / 2), "a");
        assert_eq!(remembered.claim(id(2), "b", start + KEPT / 2), "b");
        assert_eq!(remembered.find(id(1), start + KEPT / 2).as_deref(), Some("a"));
        assert_eq!(remembered.find(id(1), start + KEPT), None);
        assert_eq!(remembered.find(id(2), start + KEPT).as_deref(), Some("b"));
        assert_eq!((remembered.users.len(), remembered.claims.len()), (1, 1));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut remembered, start) = (Remembered::default(), Instant::now());
        for number in 0..MAX_REMEMBERED + 10 {
            remembered.claim(id(number), "a", start);
        }
        assert_eq!((remembered.users.len(), remembered.claims.len()), (MAX_REMEMBERED, MAX_REMEMBERED));
        assert_eq!(remembered.find(id(9), start), None);
        assert!(remembered.find(id(10), start).is_some());
    }
}
