//! What the processes of the site hold.

use std::fs;

use anyhow::Context;

use crate::{
    held::Held,
    stack::{Part, Stack},
};

/// A process of the site, which must still be the same one in the end.
pub(super) struct Running {
    pub(super) part: Part,
    pid: String,
    /// Clock ticks since boot; a pid alone may be given away again.
    began: String,
}

impl Running {
    /// # Errors
    /// When it does not run.
    pub(super) fn of(stack: &Stack, part: Part) -> anyhow::Result<Self> {
        let pid = stack.pid(part)?;
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
        Held::by(&self.pid)
    }
}

fn began(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name, which may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    (fields[0] != "Z").then(|| fields.get(19).map(|began| (*began).to_owned()))?
}
