//! The queue of password checks: a few run at the same time, and known clients pass first.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::oneshot, time::timeout};

/// The longest time to wait for a permit.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of waiting checks of each priority. Further ones are refused immediately.
const MAX_WAITING: usize = 128;

/// The order in which waiting checks get permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    /// A client that has logged in to the account before.
    KnownClient,
    Other,
    /// The import of accounts. It may take long.
    Import,
}

/// Too many checks wait, or this one has waited for too long.
#[derive(Debug)]
pub(crate) struct QueueFull;

#[derive(Clone)]
pub(crate) struct PasswordQueue(Arc<Mutex<PasswordQueueState>>);

struct PasswordQueueState {
    free: usize,
    known: VecDeque<oneshot::Sender<Permit>>,
    others: VecDeque<oneshot::Sender<Permit>>,
    imports: VecDeque<oneshot::Sender<Permit>>,
}

/// Permits one check. Dropping it permits the next one.
pub(crate) struct Permit(PasswordQueue);

impl PasswordQueue {
    pub(crate) fn new(permits: usize) -> Self {
        let state = PasswordQueueState {
            free: permits,
            known: VecDeque::new(),
            others: VecDeque::new(),
            imports: VecDeque::new(),
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// When too many checks wait, or there is no permit for 5 s.
    pub(crate) async fn acquire(&self, priority: Priority) -> Result<Permit, QueueFull> {
        let receiver = {
            let mut state = self.0.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(Permit(self.clone()));
            }
            let waiting = match priority {
                Priority::KnownClient => &mut state.known,
                Priority::Other => &mut state.others,
                Priority::Import => &mut state.imports,
            };
            waiting.retain(|sender| !sender.is_closed());
            if waiting.len() >= MAX_WAITING {
                return Err(QueueFull);
            }
            let (sender, receiver) = oneshot::channel();
            waiting.push_back(sender);
            receiver
        };
        timeout(TIMEOUT, receiver).await.map_err(|_| QueueFull)?.map_err(|_| QueueFull)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let next = {
            let mut state = self.0.0.lock();
            let next = state
                .known
                .pop_front()
                .or_else(|| state.others.pop_front())
                .or_else(|| state.imports.pop_front());
            if next.is_none() {
                state.free += 1;
            }
            next
        };
        // If the request has ended, its permit returns here and is dropped, so the one after it gets the permit.
        if let Some(sender) = next {
            drop(sender.send(Permit(self.0.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn known_clients_pass_first() {
        let queue = PasswordQueue::new(1);
        let running = queue.acquire(Priority::Other).await.unwrap();
        let order = Arc::new(Mutex::new(vec![]));
        let wait = |priority, name| {
            let (queue, order) = (queue.clone(), order.clone());
            tokio::spawn(async move {
                let _permit = queue.acquire(priority).await.unwrap();
                order.lock().push(name);
            })
        };
        let mut tasks = vec![];
        for (priority, name) in [
            (Priority::Other, "first"),
            (Priority::Import, "import"),
            (Priority::Other, "second"),
            (Priority::KnownClient, "known"),
        ] {
            tasks.push(wait(priority, name));
            tokio::task::yield_now().await;
        }
        // The request that waited for this permit has ended, so the next one gets it.
        tasks.remove(0).abort();
        tokio::task::yield_now().await;
        drop(running);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock(), ["known", "second", "import"]);
        assert_eq!(queue.0.lock().free, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn queue_is_bounded() {
        let queue = PasswordQueue::new(1);
        let _running = queue.acquire(Priority::Other).await.unwrap();
        let waiting: Vec<_> = (0..MAX_WAITING)
            .map(|_| {
                let queue = queue.clone();
                tokio::spawn(async move { queue.acquire(Priority::Other).await.map(|_| ()) })
            })
            .collect();
        tokio::task::yield_now().await;
        assert!(queue.acquire(Priority::Other).await.is_err());
        // Each of them has waited for too long.
        for task in waiting {
            assert!(task.await.unwrap().is_err());
        }
    }
}
