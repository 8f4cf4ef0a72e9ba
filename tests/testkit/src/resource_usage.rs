//! Memory, open files and threads of a process.

use std::{fmt, fs};

use anyhow::Context;

/// The usage at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResourceUsage {
    /// Resident memory in KiB.
    pub memory: u64,
    /// The resident memory without mapped files, in KiB: what the allocator holds, and the stacks.
    pub heap: u64,
    /// Open files, connections included.
    pub files: u64,
    pub threads: u64,
}

impl ResourceUsage {
    /// Reads the usage of a process from `/proc`.
    ///
    /// # Errors
    /// When the process does not run.
    pub fn of_process(pid: &str) -> anyhow::Result<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let field = |name: &str| {
            let value = status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
            value.with_context(|| format!("/proc shows no {name}"))?.parse().context("not a number")
        };
        let files = fs::read_dir(format!("/proc/{pid}/fd"))?.count() as u64;
        Ok(Self { memory: field("VmRSS:")?, heap: field("RssAnon:")?, files, threads: field("Threads:")? })
    }

    /// The larger value of each field.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            memory: self.memory.max(other.memory),
            heap: self.heap.max(other.heap),
            files: self.files.max(other.files),
            threads: self.threads.max(other.threads),
        }
    }

    /// Whether a field is larger than before by more than the tolerance.
    #[must_use]
    pub fn exceeds(&self, before: &Self, tolerance: Self) -> bool {
        self.memory > before.memory + tolerance.memory
            || self.heap > before.heap + tolerance.heap
            || self.files > before.files + tolerance.files
            || self.threads > before.threads + tolerance.threads
    }
}

impl fmt::Display for ResourceUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory, heap, files, threads } = self;
        write!(f, "{} MiB ({} MiB of heap), {files} files, {threads} threads", memory / 1024, heap / 1024)
    }
}
