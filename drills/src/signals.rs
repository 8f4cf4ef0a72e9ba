//! Processes of this machine, by their pids: signals, start times and children.

use std::process::Stdio;

use anyhow::ensure;
use tokio::process::Command;

/// The start time of a process, in clock ticks since boot. `None` for a process that has ended or is a zombie.
pub(crate) fn start_time(pid: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The fields come after the name, which may contain any character.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    if fields.next()?.starts_with(['Z', 'X']) { None } else { fields.nth(18).map(ToOwned::to_owned) }
}

pub(crate) async fn send_signal(signal: &str, pids: &[String]) -> anyhow::Result<()> {
    let sent =
        Command::new("kill").arg(format!("-{signal}")).args(pids).stderr(Stdio::null()).status().await?;
    ensure!(sent.success(), "does not run");
    Ok(())
}

pub(crate) fn children(pid: &str) -> anyhow::Result<Vec<String>> {
    let found = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    Ok(found.split_whitespace().map(ToOwned::to_owned).collect())
}
