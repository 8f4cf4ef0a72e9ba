//! The processes of the drilled site. `./dev part` starts a process that a drill has stopped.

use std::{
    collections::HashMap,
    path::PathBuf,
    slice,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::ValueEnum;
use guildhall_testkit::{
    environment::{credential, setting},
    processes::{children, read_pid, run, send_signal, start_time},
    resource_usage::ResourceUsage,
};
use tokio::{process::Command, time::sleep};

use crate::process::{Part, Process};

/// The api and the workers stop within 30 s.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(40);

/// The time limit of a program: more than `./dev` waits for any part.
const PROGRAM_TIME_LIMIT: Duration = Duration::from_secs(180);

/// The processes of the drilled site, from the environment that `./dev drill` sets.
#[derive(Clone)]
pub struct Stack {
    folder: PathBuf,
    processes: Vec<Process>,
    /// Settings in addition to the environment of the stack: NAME=VALUE.
    settings: HashMap<Process, Vec<String>>,
}

impl Stack {
    /// Reads the environment.
    ///
    /// # Errors
    /// When `./dev drill` did not start this process.
    pub fn from_environment() -> anyhow::Result<Self> {
        let names = setting("DRILL_PROCESSES")?;
        let processes = Part::value_variants().iter().flat_map(|&part| {
            let number = names
                .split(' ')
                .filter(|name| name.trim_end_matches(char::is_numeric) == part.name())
                .count();
            (1..=number).map(move |number| Process { part, number })
        });
        Ok(Self {
            folder: setting("DRILL_STACK")?.into(),
            processes: processes.collect(),
            settings: HashMap::new(),
        })
    }

    #[cfg(test)]
    pub(crate) fn without_processes(folder: PathBuf) -> Self {
        Self { folder, processes: vec![], settings: HashMap::new() }
    }

    /// All processes, or those of one part.
    pub fn processes(&self, part: impl Into<Option<Part>>) -> impl Iterator<Item = Process> {
        let part = part.into();
        self.processes.iter().copied().filter(move |process| part.is_none_or(|part| part == process.part))
    }

    /// The apis and then the workers.
    pub fn services(&self) -> impl Iterator<Item = Process> {
        self.processes(Part::Api).chain(self.processes(Part::Workers))
    }

    /// Sets the settings of all later starts of a process.
    pub fn set_settings(&mut self, process: Process, settings: Vec<String>) {
        self.settings.insert(process, settings);
    }

    /// The name and secret of a demo account.
    ///
    /// # Errors
    /// When there is no account with this role.
    pub fn credential(role: &str) -> anyhow::Result<(String, String)> {
        credential(&setting("DRILL_CREDENTIALS")?, role)
    }

    /// Sends SIGKILL and waits until the process has ended.
    ///
    /// # Errors
    /// When the process does not run.
    pub async fn kill(&self, process: impl Into<Process>) -> anyhow::Result<()> {
        self.stop_with(process.into(), "KILL").await
    }

    /// Sends SIGTERM and waits until the process has ended.
    ///
    /// # Errors
    /// When it does not run or does not stop.
    pub async fn stop(&self, process: Process) -> anyhow::Result<()> {
        self.stop_with(process, "TERM").await
    }

    /// Sends a signal and waits until the process and its children have ended.
    async fn stop_with(&self, process: Process, signal: &str) -> anyhow::Result<()> {
        let pids = self.signal(process, signal).await?;
        let started = Instant::now();
        while pids.iter().any(|pid| start_time(pid).is_some()) {
            ensure!(started.elapsed() < STOP_TIME_LIMIT, "{} does not stop", process.name());
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// Sends a signal and returns the pids that got it: the process and, for Postgres and Postfix, its children.
    ///
    /// # Errors
    /// When the process does not run.
    pub async fn signal(&self, process: impl Into<Process>, signal: &str) -> anyhow::Result<Vec<String>> {
        let process = process.into();
        let pid = self.pid(process)?;
        let mut pids = Vec::new();
        if matches!(process.part, Part::Postgres | Part::Postfix) {
            // Its children do the work and would continue. A stopped parent starts no new ones.
            send_signal("STOP", slice::from_ref(&pid)).await?;
            pids = children(&pid)?;
            // A child may have ended meanwhile.
            let _ = send_signal(signal, &pids).await;
        }
        send_signal(signal, slice::from_ref(&pid)).await.with_context(|| process.name())?;
        pids.push(pid);
        Ok(pids)
    }

    /// The pid of a running process.
    ///
    /// # Errors
    /// When the process does not run.
    pub fn pid(&self, process: impl Into<Process>) -> anyhow::Result<String> {
        let name = process.into().name();
        read_pid(&self.folder, &name)
    }

    /// The memory and open files of a process.
    ///
    /// # Errors
    /// When the process does not run.
    pub fn usage(&self, process: impl Into<Process>) -> anyhow::Result<ResourceUsage> {
        ResourceUsage::of_process(&self.pid(process)?)
    }

    #[must_use]
    pub fn is_running(&self, process: impl Into<Process>) -> bool {
        self.pid(process).is_ok()
    }

    /// The path of a file in the folder of this stack.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Starts a process and waits until it responds.
    ///
    /// # Errors
    /// When it does not respond.
    pub async fn start(&self, process: impl Into<Process>) -> anyhow::Result<()> {
        self.start_with(process, &[]).await
    }

    /// Starts a process with additional settings for this start only: NAME=VALUE.
    ///
    /// # Errors
    /// When it does not respond.
    pub async fn start_with(&self, process: impl Into<Process>, more: &[String]) -> anyhow::Result<()> {
        let process = process.into();
        let name = process.name();
        let settings = self.settings.get(&process).into_iter().flatten().chain(more).map(String::as_str);
        self.dev(&["part", &name].into_iter().chain(settings).collect::<Vec<_>>())
            .await
            .with_context(|| format!("{name} does not start"))
            .map(drop)
    }

    /// Sends SIGTERM, waits until the process has ended, and starts it again.
    ///
    /// # Errors
    /// When it does not run, does not stop, or does not respond after the start.
    pub async fn restart(&self, process: Process) -> anyhow::Result<()> {
        self.stop(process).await?;
        self.start(process).await
    }

    /// Runs `./dev` and returns its output.
    ///
    /// # Errors
    /// When it fails.
    pub async fn dev(&self, arguments: &[&str]) -> anyhow::Result<String> {
        Self::run("./dev", arguments).await
    }

    /// The names of the site's queues with messages, and the number of messages.
    ///
    /// # Errors
    /// When RabbitMQ does not respond.
    pub async fn non_empty_queues(&self) -> anyhow::Result<String> {
        let queues = self.dev(&["part", "rabbitmqctl", "list_queues", "name", "messages"]).await;
        let queues = queues.context("the queues cannot be read")?;
        let filled = queues.lines().filter(|line| !line.ends_with("\t0") && line.starts_with("guildhall."));
        Ok(filled.collect::<Vec<_>>().join(", "))
    }

    /// Runs a program and returns its output.
    ///
    /// # Errors
    /// When it fails or does not end in time.
    pub async fn run(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
        run(Command::new(program).args(arguments), PROGRAM_TIME_LIMIT).await
    }
}
