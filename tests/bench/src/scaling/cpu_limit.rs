//! A limit of processor time for processes: a control group of Linux, version 1 or 2.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

/// The limit applies to each period of this length. Short periods let a process wait less at a time.
const PERIOD_MICROSECONDS: u64 = 20_000;

/// A control group for one process. It is removed when the value is dropped and the process has ended.
pub(super) struct CpuLimit(PathBuf);

impl CpuLimit {
    /// Creates a group whose processes have a share of one processor: 0.15 is 15 %.
    ///
    /// # Errors
    /// When this process may not create control groups: it needs root.
    pub(super) fn new(name: &str, share: f64) -> anyhow::Result<Self> {
        let has_version_2 = Path::new("/sys/fs/cgroup/cgroup.controllers").exists();
        let parent = if has_version_2 { "/sys/fs/cgroup" } else { "/sys/fs/cgroup/cpu" };
        let folder = Path::new(parent).join(format!("guildhall-bench-{}-{name}", std::process::id()));
        fs::create_dir(&folder)
            .with_context(|| format!("{}: a limit of processor time needs root", folder.display()))?;
        let limit = Self(folder);
        let quota = (share * PERIOD_MICROSECONDS as f64) as u64;
        if has_version_2 {
            limit.write("cpu.max", &format!("{quota} {PERIOD_MICROSECONDS}"))?;
        } else {
            limit.write("cpu.cfs_period_us", &PERIOD_MICROSECONDS.to_string())?;
            limit.write("cpu.cfs_quota_us", &quota.to_string())?;
        }
        Ok(limit)
    }

    /// Puts a process with all its threads into the group.
    ///
    /// # Errors
    /// When it has ended.
    pub(super) fn hold(&self, pid: u32) -> anyhow::Result<()> {
        self.write("cgroup.procs", &pid.to_string())
    }

    fn write(&self, file: &str, value: &str) -> anyhow::Result<()> {
        let file = self.0.join(file);
        fs::write(&file, value).with_context(|| file.display().to_string())
    }
}

impl Drop for CpuLimit {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir(&self.0) {
            eprintln!("{} is not removed: {error}", self.0.display());
        }
    }
}
