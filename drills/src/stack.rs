//! The processes of a site under drill. `./dev` starts them, and again when they were killed.

use std::{env, path::PathBuf, process::Stdio};

use anyhow::{Context, ensure};
use clap::ValueEnum;
use tokio::process::Command;

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

/// Where the processes are, as `./dev` tells in the environment.
#[derive(Clone)]
pub struct Stack {
    folder: PathBuf,
}

impl Stack {
    /// # Errors
    /// When this was not started by `./dev drill`.
    pub fn from_environment() -> anyhow::Result<Self> {
        let folder = env::var_os("DRILL_STACK").context("run this with ./dev drill")?;
        Ok(Self { folder: folder.into() })
    }

    /// # Errors
    /// When the variable is not set.
    pub fn setting(name: &str) -> anyhow::Result<String> {
        env::var(name).with_context(|| format!("{name} is not set: run this with ./dev drill"))
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

    /// Kills it as a power cut would: it can do nothing about it.
    ///
    /// # Errors
    /// When it does not run.
    pub async fn kill(&self, part: Part) -> anyhow::Result<()> {
        self.signal(part, "KILL").await
    }

    /// # Errors
    /// When it does not run.
    pub async fn signal(&self, part: Part, signal: &str) -> anyhow::Result<()> {
        let pid = self.pid(part).await?;
        let mut pids = vec![pid.clone()];
        if part == Part::Postgres {
            // Its children do the work, and would go on with it.
            pids.extend(children(&pid).await?);
        }
        let signalled =
            Command::new("kill").arg(format!("-{signal}")).args(&pids).stderr(Stdio::null()).status().await?;
        ensure!(signalled.success() || part == Part::Postgres, "{} does not run", part.name());
        Ok(())
    }

    /// # Errors
    /// When it has never been started.
    pub async fn pid(&self, part: Part) -> anyhow::Result<String> {
        let file = self.folder.join(format!("{}.pid", part.name()));
        let text = tokio::fs::read_to_string(&file).await.with_context(|| format!("{}", file.display()))?;
        Ok(text.split(' ').next().unwrap_or_default().to_owned())
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
    pub async fn start(&self, part: Part) -> anyhow::Result<()> {
        self.dev(&["part", part.name()])
            .await
            .with_context(|| format!("{} does not start again", part.name()))
    }

    /// # Errors
    /// When it fails.
    pub async fn dev(&self, arguments: &[&str]) -> anyhow::Result<()> {
        Self::run("./dev", arguments).await
    }

    /// # Errors
    /// When it fails.
    pub async fn run(program: &str, arguments: &[&str]) -> anyhow::Result<()> {
        let run = Command::new(program).args(arguments).stdin(Stdio::null()).output().await?;
        let said = String::from_utf8_lossy(&run.stderr);
        ensure!(run.status.success(), "{program} {}: {}", arguments.join(" "), said.trim());
        Ok(())
    }
}

async fn children(pid: &str) -> anyhow::Result<Vec<String>> {
    let found = Command::new("ps").args(["-o", "pid=", "--ppid", pid]).output().await?;
    Ok(String::from_utf8(found.stdout)?.split_whitespace().map(ToOwned::to_owned).collect())
}
