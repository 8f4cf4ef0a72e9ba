//! Values that exist as long as a connection.

use tokio::sync::watch;

/// Publishes a value in a watch channel, and removes it when this is dropped.
pub struct ScopedValue<'a, T>(&'a watch::Sender<Option<T>>);

impl<'a, T> ScopedValue<'a, T> {
    /// Publishes the value.
    pub fn new(sender: &'a watch::Sender<Option<T>>, value: T) -> Self {
        sender.send_replace(Some(value));
        Self(sender)
    }
}

impl<T> Drop for ScopedValue<'_, T> {
    fn drop(&mut self) {
        self.0.send_replace(None);
    }
}
