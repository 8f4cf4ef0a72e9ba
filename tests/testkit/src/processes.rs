//! Processes of this machine: signals, start times and children by their pids, and the files that have the pids of a site.

use std::{fs, path::Path, process::Stdio, time::Duration};

use anyhow::{Context, ensure};
use tokio::{process::Command, time::timeout};

/// Runs a program and returns its output.
///
/// # Errors
/// When it fails or does not end in time.
pub async fn run(command: &mut Command, time_limit: Duration) -> anyhow::Result<String> {
    let description = format!("{:?}", command.as_std());
    let run = timeout(time_limit, command.stdin(Stdio::null()).kill_on_drop(true).output()).await;
    let run = run.map_err(anyhow::Error::from).and_then(|run| Ok(run?)).context(description.clone())?;
    ensure!(run.status.success(), "{description}: {}", String::from_utf8_lossy(&run.stderr).trim());
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// The start time of a process, in clock ticks since boot. `None` for a process that has ended or is a zombie without threads: a zombie
/// keeps its ports while one of its threads ends.
#[must_use]
pub fn start_time(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The fields come after the name, which may contain any character.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let (state, threads, start_time) = (*fields.first()?, *fields.get(17)?, *fields.get(19)?);
    let has_ended = ["Z", "X"].contains(&state) && ["0", "1"].contains(&threads);
    (!has_ended).then(|| start_time.to_owned())
}

/// Sends a signal.
///
/// # Errors
/// When one of the processes does not run.
pub async fn send_signal(signal: &str, pids: &[String]) -> anyhow::Result<()> {
    let sent =
        Command::new("kill").arg(format!("-{signal}")).args(pids).stderr(Stdio::null()).status().await?;
    ensure!(sent.success(), "does not run");
    Ok(())
}

/// The pids of the processes that a process has started.
///
/// # Errors
/// When the process does not run.
pub fn children(pid: &str) -> anyhow::Result<Vec<String>> {
    let found = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    Ok(found.split_whitespace().map(ToOwned::to_owned).collect())
}

/// The pid of a running process, from the file that `./dev` or [`write_pid`] has written.
///
/// # Errors
/// When the process does not run.
pub fn read_pid(folder: &Path, name: &str) -> anyhow::Result<String> {
    let file = folder.join(format!("{name}.pid"));
    let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    // The system reuses a pid. The file has the start time too.
    let (pid, started) = text.trim_end().split_once(' ').context("the file has no pid and start time")?;
    ensure!(start_time(pid).as_deref() == Some(started), "{name} does not run");
    Ok(pid.to_owned())
}

/// Writes the file by which `./dev` finds a process.
///
/// # Errors
/// When the process has ended, or the file cannot be written.
pub fn write_pid(folder: &Path, name: &str, pid: &str) -> anyhow::Result<()> {
    let started = start_time(pid).context("the process has ended")?;
    Ok(fs::write(folder.join(format!("{name}.pid")), format!("{pid} {started}\n"))?)
}
