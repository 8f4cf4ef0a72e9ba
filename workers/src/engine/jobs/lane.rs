//! Lanes: jobs that share a limit of running jobs. So a slow mail server delays no payment.

/// The lane of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum Lane {
    /// Jobs for which a player waits.
    Awaited,
    Main,
    Mail,
}

impl Lane {
    /// The maximum number of jobs that run at the same time. Most of the time they wait for other systems.
    pub(super) fn max_running(self) -> usize {
        match self {
            Self::Awaited => 24,
            Self::Main => 16,
            Self::Mail => 8,
        }
    }
}
