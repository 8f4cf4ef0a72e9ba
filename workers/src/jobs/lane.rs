//! Lanes: jobs that share a limit of running jobs. So a slow mail server delays no payment.

use tokio::sync::Notify;

/// The lane of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Lane {
    Main,
    Mail,
}

impl Lane {
    /// The maximum number of jobs that run at the same time. Most of the time they wait for other systems.
    pub(super) fn max_running(self) -> usize {
        match self {
            Self::Main => 32,
            Self::Mail => 8,
        }
    }

    /// The maximum number of running jobs for which a player waits. They are claimed first, so they must leave places for the
    /// other jobs while the bank hangs.
    pub(super) fn max_awaited(self) -> usize {
        self.max_running() * 3 / 4
    }
}

/// Wakes the runners of both lanes when jobs may be due.
#[derive(Debug, Default)]
pub(crate) struct Due {
    main: Notify,
    mail: Notify,
}

impl Due {
    pub(crate) fn notify(&self) {
        self.main.notify_one();
        self.mail.notify_one();
    }

    pub(super) async fn notified(&self, lane: Lane) {
        match lane {
            Lane::Main => self.main.notified().await,
            Lane::Mail => self.mail.notified().await,
        }
    }
}
