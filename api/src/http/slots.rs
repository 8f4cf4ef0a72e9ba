//! Limits of how much happens at the same time: in total, and for each key.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use parking_lot::Mutex;

/// A fixed number of slots. No key can take more than its share of them.
#[derive(Debug, Clone)]
pub(crate) struct Slots<K> {
    total: usize,
    per_key: usize,
    used: Arc<Mutex<Used<K>>>,
}

#[derive(Debug)]
struct Used<K> {
    total: usize,
    by_key: HashMap<K, usize>,
}

/// The reason for which there is no slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoSlot {
    /// This key uses its whole share.
    OfKey,
    /// All slots are in use.
    AtAll,
}

/// A slot in use. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot<K: Copy + Eq + Hash> {
    slots: Slots<K>,
    key: K,
}

impl<K: Copy + Eq + Hash> Slots<K> {
    pub(crate) fn new(total: usize, per_key: usize) -> Self {
        let used = Used { total: 0, by_key: HashMap::new() };
        Self { total, per_key, used: Arc::new(Mutex::new(used)) }
    }

    /// Takes a slot for this key.
    ///
    /// # Errors
    /// When none is free.
    pub(crate) fn acquire(&self, key: K) -> Result<Slot<K>, NoSlot> {
        let mut used = self.used.lock();
        if used.by_key.get(&key).is_some_and(|used| *used >= self.per_key) {
            return Err(NoSlot::OfKey);
        }
        if used.total >= self.total {
            return Err(NoSlot::AtAll);
        }
        used.total += 1;
        *used.by_key.entry(key).or_default() += 1;
        Ok(Slot { slots: self.clone(), key })
    }
}

impl<K: Copy + Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut used = self.slots.used.lock();
        used.total -= 1;
        if let Some(of_key) = used.by_key.get_mut(&self.key) {
            *of_key -= 1;
            if *of_key == 0 {
                used.by_key.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_limited_in_total_and_for_each_key() {
        let slots = Slots::new(3, 2);
        let mut of_first = vec![slots.acquire(1).unwrap(), slots.acquire(1).unwrap()];
        assert_eq!(slots.acquire(1).unwrap_err(), NoSlot::OfKey);
        let of_second = slots.acquire(2).unwrap();
        assert_eq!(slots.acquire(2).unwrap_err(), NoSlot::AtAll);
        of_first.pop();
        drop(slots.acquire(2).unwrap());
        drop((of_first, of_second));
        assert!(slots.used.lock().by_key.is_empty());
    }
}
