//! Memory and open files of a process.

use std::{fmt, fs};

use anyhow::Context;

/// The usage at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResourceUsage {
    /// Resident memory in KiB.
    pub memory: u64,
    /// Open files, connections included.
    pub files: u64,
}

impl ResourceUsage {
    /// Reads the usage of a process from `/proc`.
    ///
    /// # Errors
    /// When the process does not run.
    pub fn of_process(pid: &str) -> anyhow::Result<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
        let files = fs::read_dir(format!("/proc/{pid}/fd"))?.count() as u64;
        Ok(Self { memory: memory.context("/proc shows no VmRSS")?.parse()?, files })
    }

    /// The larger value of each field.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { memory: self.memory.max(other.memory), files: self.files.max(other.files) }
    }

    /// Whether either field is larger than before by more than the tolerance.
    #[must_use]
    pub fn exceeds(&self, before: &Self, tolerance: Self) -> bool {
        self.memory > before.memory + tolerance.memory || self.files > before.files + tolerance.files
    }
}

impl fmt::Display for ResourceUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB, {} files", self.memory / 1024, self.files)
    }
}
