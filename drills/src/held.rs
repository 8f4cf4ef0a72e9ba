//! What a process holds of the machine.

use std::{fmt, fs};

use anyhow::Context;

/// At one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held {
    /// KiB of resident memory.
    pub memory: u64,
    /// Open files, connections included.
    pub files: u64,
}

impl Held {
    /// # Errors
    /// When the process has gone.
    pub fn by(pid: &str) -> anyhow::Result<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
        let files = fs::read_dir(format!("/proc/{pid}/fd"))?.count() as u64;
        Ok(Self { memory: memory.context("no memory")?.parse()?, files })
    }

    /// The larger of each.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self { memory: self.memory.max(other.memory), files: self.files.max(other.files) }
    }

    /// Whether it is more than before, by more than this of either.
    #[must_use]
    pub fn exceeds(&self, before: &Self, by: Self) -> bool {
        self.memory > before.memory + by.memory || self.files > before.files + by.files
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB, {} files", self.memory / 1024, self.files)
    }
}
