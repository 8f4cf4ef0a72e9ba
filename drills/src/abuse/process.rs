//! What the processes of the site hold.

use std::{fmt, fs};

use anyhow::Context;

use crate::stack::{Part, Stack};

/// A process of the site, which must still be the same one in the end.
pub(super) struct Process {
    pub(super) part: Part,
    pid: String,
    /// Clock ticks since boot; a pid alone may be given away again.
    began: String,
}

/// What it holds at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    /// KiB of resident memory.
    pub(super) memory: u64,
    /// Open files, connections included.
    pub(super) files: usize,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB, {} files", self.memory / 1024, self.files)
    }
}

impl Process {
    /// # Errors
    /// When it does not run.
    pub(super) async fn of(stack: &Stack, part: Part) -> anyhow::Result<Self> {
        let pid = stack.pid(part).await?;
        let began = began(&pid).with_context(|| format!("{} does not run", part.name()))?;
        Ok(Self { part, pid, began })
    }

    /// Whether it has run since then.
    pub(super) fn lives(&self) -> bool {
        began(&self.pid).as_ref() == Some(&self.began)
    }

    /// # Errors
    /// When it has gone.
    pub(super) fn holds(&self) -> anyhow::Result<Held> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
        let files = fs::read_dir(format!("/proc/{}/fd", self.pid))?.count();
        Ok(Held { memory: memory.context("no memory")?.parse()?, files })
    }
}

fn began(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name, which may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    (fields[0] != "Z").then(|| fields.get(19).map(|began| (*began).to_owned()))?
}
