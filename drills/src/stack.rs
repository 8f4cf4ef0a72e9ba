//! The processes of a site under drill. `./dev` starts them, and again when they were killed.

use std::{
    collections::HashMap,
    env,
    path::PathBuf,
    process::Stdio,
    slice,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::ValueEnum;
use tokio::{
    process::Command,
    time::{sleep, timeout},
};

use crate::held::Held;

/// The api and the workers give themselves 30 s.
const STOPS_WITHIN: Duration = Duration::from_secs(40);

/// More than `./dev` waits for any part.
const RUNS_FOR: Duration = Duration::from_secs(180);

/// A process that may die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, ValueEnum)]
pub enum Part {
    Api,
    Workers,
    Rabbitmq,
    Postgres,
    Redis,
    Sandbox,
}

impl Part {
    pub const ALL: [Self; 6] =
        [Self::Api, Self::Workers, Self::Rabbitmq, Self::Postgres, Self::Redis, Self::Sandbox];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Workers => "workers",
            Self::Rabbitmq => "rabbitmq",
            Self::Postgres => "postgres",
            Self::Redis => "redis",
            Self::Sandbox => "sandbox",
        }
    }
}

/// One of a part's processes, of which a cluster has several: the first, the second, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process {
    pub part: Part,
    pub number: usize,
}

impl Process {
    /// As `./dev` calls it: the first by the part's name alone.
    #[must_use]
    pub fn name(self) -> String {
        let name = self.part.name();
        if self.number == 1 { name.to_owned() } else { format!("{name}{}", self.number) }
    }
}

impl From<Part> for Process {
    fn from(part: Part) -> Self {
        Self { part, number: 1 }
    }
}

/// Where the processes are, as `./dev` tells in the environment.
#[derive(Clone)]
pub struct Stack {
    folder: PathBuf,
    processes: Vec<Process>,
    /// What they are started with beside the stack's own environment: NAME=VALUE.
    settings: HashMap<Process, Vec<String>>,
}

impl Stack {
    /// # Errors
    /// When this was not started by `./dev drill`.
    pub fn from_environment() -> anyhow::Result<Self> {
        let names = Self::setting("DRILL_PROCESSES")?;
        let processes = Part::ALL.into_iter().flat_map(|part| {
            let number = names
                .split(' ')
                .filter(|name| name.trim_end_matches(char::is_numeric) == part.name())
                .count();
            (1..=number).map(move |number| Process { part, number })
        });
        Ok(Self {
            folder: Self::setting("DRILL_STACK")?.into(),
            processes: processes.collect(),
            settings: HashMap::new(),
        })
    }

    /// # Errors
    /// When the variable is not set.
    pub fn setting(name: &str) -> anyhow::Result<String> {
        env::var(name).with_context(|| format!("{name} is not set: run this with ./dev drill"))
    }

    /// All that there are, or those of one part.
    pub fn processes(&self, part: impl Into<Option<Part>>) -> impl Iterator<Item = Process> {
        let part = part.into();
        self.processes.iter().copied().filter(move |process| part.is_none_or(|part| part == process.part))
    }

    /// The site's own: its apis, then its workers.
    pub fn services(&self) -> impl Iterator<Item = Process> {
        self.processes(Part::Api).chain(self.processes(Part::Workers))
    }

    /// Starts it with these settings from now on.
    pub fn set(&mut self, process: Process, settings: Vec<String>) {
        self.settings.insert(process, settings);
    }

    /// The name and secret of somebody whom `./dev drill` has made.
    ///
    /// # Errors
    /// When there is nobody of this kind.
    pub fn credential(who: &str) -> anyhow::Result<(String, String)> {
        let people = Self::setting("DRILL_CREDENTIALS")?;
        let mut lines = people.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let found = lines.find_map(|words| match words[..] {
            [kind, name, secret] if kind == who => Some((name.to_owned(), secret.to_owned())),
            _ => None,
        });
        found.with_context(|| format!("there is no {who}"))
    }

    /// Kills it as a power cut would: it can do nothing about it. Waits until it is gone.
    ///
    /// # Errors
    /// When it does not run.
    pub async fn kill(&self, process: impl Into<Process>) -> anyhow::Result<()> {
        self.end(process.into(), "KILL").await
    }

    /// Waits until it is gone, and its children.
    async fn end(&self, process: Process, signal: &str) -> anyhow::Result<()> {
        let pids = self.signal(process, signal).await?;
        let began = Instant::now();
        while pids.iter().any(|pid| since(pid).is_some()) {
            ensure!(began.elapsed() < STOPS_WITHIN, "{} does not stop", process.name());
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// Answers whom it was sent to.
    ///
    /// # Errors
    /// When it does not run.
    pub async fn signal(&self, process: impl Into<Process>, signal: &str) -> anyhow::Result<Vec<String>> {
        let process = process.into();
        let pid = self.pid(process)?;
        let mut pids = Vec::new();
        if process.part == Part::Postgres {
            // Its children do the work, and would go on with it. While it stands still there are no new ones.
            send("STOP", slice::from_ref(&pid)).await?;
            pids = children(&pid)?;
            // One that has ended meanwhile is none any more.
            let _ = send(signal, &pids).await;
        }
        send(signal, slice::from_ref(&pid)).await.with_context(|| process.name())?;
        pids.push(pid);
        Ok(pids)
    }

    /// # Errors
    /// When it does not run.
    pub fn pid(&self, process: impl Into<Process>) -> anyhow::Result<String> {
        let name = process.into().name();
        let file = self.folder.join(format!("{name}.pid"));
        let text = std::fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
        // A pid is given to another process some day: its beginning stands beside it.
        let (pid, began) = text.trim_end().split_once(' ').context("no pid and beginning")?;
        ensure!(since(pid).as_deref() == Some(began), "{name} does not run");
        Ok(pid.to_owned())
    }

    /// What it holds of the machine.
    ///
    /// # Errors
    /// When it does not run.
    pub fn held(&self, process: impl Into<Process>) -> anyhow::Result<Held> {
        Held::by(&self.pid(process)?)
    }

    #[must_use]
    pub fn runs(&self, process: impl Into<Process>) -> bool {
        self.pid(process).is_ok()
    }

    /// A file of this drill.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Starts it again and waits until it answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn start(&self, process: impl Into<Process>) -> anyhow::Result<()> {
        self.start_with(process, &[]).await
    }

    /// The same, this once with more settings: NAME=VALUE.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn start_with(&self, process: impl Into<Process>, more: &[String]) -> anyhow::Result<()> {
        let process = process.into();
        let name = process.name();
        let settings = self.settings.get(&process).into_iter().flatten().chain(more).map(String::as_str);
        self.dev(&["part", &name].into_iter().chain(settings).collect::<Vec<_>>())
            .await
            .with_context(|| format!("{name} does not start again"))
            .map(drop)
    }

    /// Tells it to stop, waits until it has, and starts it again.
    ///
    /// # Errors
    /// When it does not run, does not stop, or does not answer then.
    pub async fn restart(&self, process: Process) -> anyhow::Result<()> {
        self.end(process, "TERM").await?;
        self.start(process).await
    }

    /// Answers what it prints.
    ///
    /// # Errors
    /// When it fails.
    pub async fn dev(&self, arguments: &[&str]) -> anyhow::Result<String> {
        Self::run("./dev", arguments).await
    }

    /// Answers what it prints.
    ///
    /// # Errors
    /// When it fails, or does not end.
    pub async fn run(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
        let told = || format!("{program} {}", arguments.join(" "));
        let run = Command::new(program).args(arguments).stdin(Stdio::null()).kill_on_drop(true).output();
        let run = timeout(RUNS_FOR, run).await.with_context(told)?.with_context(told)?;
        let said = String::from_utf8_lossy(&run.stderr);
        ensure!(run.status.success(), "{}: {}", told(), said.trim());
        Ok(String::from_utf8_lossy(&run.stdout).into_owned())
    }
}

/// When a process began, in clock ticks since boot; none for one that is gone, or a zombie.
fn since(pid: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name, which may hold anything.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    if fields.next()?.starts_with(['Z', 'X']) { None } else { fields.nth(18).map(ToOwned::to_owned) }
}

async fn send(signal: &str, pids: &[String]) -> anyhow::Result<()> {
    let sent =
        Command::new("kill").arg(format!("-{signal}")).args(pids).stderr(Stdio::null()).status().await?;
    ensure!(sent.success(), "does not run");
    Ok(())
}

fn children(pid: &str) -> anyhow::Result<Vec<String>> {
    let found = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    Ok(found.split_whitespace().map(ToOwned::to_owned).collect())
}
