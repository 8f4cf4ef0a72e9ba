//! The shared state of the endpoints and of the background tasks.

use std::{collections::VecDeque, net::SocketAddr};

use parking_lot::{Mutex, MutexGuard};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use crate::{
    bank::FakeBank, config::Config, faults::FaultSettings, mail::mail_store::MailStore,
    notification_attempt::NotificationAttempt,
};

/// How many notification attempts are kept for `GET /sandbox/notifications`.
const MAX_ATTEMPTS: usize = 1000;

/// The shared state. No code holds a lock across an await, or two locks of this struct together.
pub(crate) struct SandboxState {
    pub(crate) config: Config,
    pub(crate) http: reqwest::Client,
    /// Counts notification requests. A reordered notification waits for the next change.
    pub(crate) sent_notifications: watch::Sender<u64>,
    pub(crate) mails: MailStore,
    /// The address of the mail catcher, if there is one.
    pub(crate) mail_address: Option<SocketAddr>,
    bank: Mutex<FakeBank>,
    faults: Mutex<FaultSettings>,
    attempts: Mutex<VecDeque<NotificationAttempt>>,
    /// The end-to-end ids of payments whose notification is due.
    due_notifications: mpsc::UnboundedSender<String>,
    tasks: Mutex<JoinSet<()>>,
}

impl SandboxState {
    /// Opens the bank's records. Must run inside a Tokio runtime.
    pub(crate) fn open(
        config: Config,
        mail_address: Option<SocketAddr>,
        due_notifications: mpsc::UnboundedSender<String>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            bank: Mutex::new(FakeBank::open(config.data.as_deref())?),
            faults: Mutex::default(),
            attempts: Mutex::default(),
            due_notifications,
            sent_notifications: watch::Sender::new(0),
            mails: MailStore::default(),
            mail_address,
            tasks: Mutex::default(),
            http: reqwest::Client::builder().no_proxy().build()?,
            config,
        })
    }

    pub(crate) fn bank(&self) -> MutexGuard<'_, FakeBank> {
        self.bank.lock()
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, FaultSettings> {
        self.faults.lock()
    }

    /// Queues a notification of the payment's current state.
    pub(crate) fn queue_notification(&self, end_to_end_id: &str) {
        // The channel is closed only while the sandbox stops.
        let _ = self.due_notifications.send(end_to_end_id.to_owned());
    }

    pub(crate) fn record_attempt(&self, attempt: NotificationAttempt) {
        let mut attempts = self.attempts.lock();
        attempts.push_front(attempt);
        attempts.truncate(MAX_ATTEMPTS);
    }

    /// Returns the latest notification attempts, newest first.
    pub(crate) fn latest_attempts(&self, limit: usize) -> Vec<NotificationAttempt> {
        self.attempts.lock().iter().take(limit).cloned().collect()
    }

    /// Starts a background task. It runs until it ends or the sandbox stops.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Removes all background tasks from the state, so that the caller can stop them.
    pub(crate) fn take_tasks(&self) -> JoinSet<()> {
        std::mem::take(&mut *self.tasks.lock())
    }
}
