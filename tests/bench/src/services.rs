//! The measured processes: the api and the workers, which a run starts again and again, and the servers.

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use guildhall_testkit::{
    environment::setting,
    http::HttpClient,
    processes::{send_signal, write_pid},
};
use tokio::{
    process::{Child, Command},
    time::{sleep, timeout},
};

/// The time limit of a start.
const START_TIME_LIMIT: Duration = Duration::from_secs(90);

/// The api and the workers stop within 30 s.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(40);

/// The interval between two checks of a starting process.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// A running process. Dropping it kills it.
pub(crate) struct Service {
    name: &'static str,
    child: Child,
    /// It has the log and the pid of each process.
    folder: PathBuf,
    /// The time from the start until it responded.
    pub(crate) ready_after: Duration,
}

/// An api and a workers process on the same servers.
pub(crate) struct Services {
    pub(crate) workers: Service,
    pub(crate) api: Service,
}

/// Settings that replace those of the environment.
pub(crate) type ServiceSettings = Vec<(String, String)>;

impl Services {
    /// Starts both processes, one after the other.
    ///
    /// # Errors
    /// When one of them does not become ready.
    pub(crate) async fn start(settings: &ServiceSettings) -> anyhow::Result<Self> {
        let workers = Service::start("workers", &setting("GUILDHALL_WORKERS_LISTEN")?, settings).await?;
        let api = Service::start("api", &setting("GUILDHALL_API_HEALTH_LISTEN")?, settings).await?;
        Ok(Self { workers, api })
    }

    /// Stops both processes.
    ///
    /// # Errors
    /// When one of them does not stop.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        self.api.stop().await?;
        self.workers.stop().await
    }
}

impl Service {
    /// Starts a process: `api`, or `workers` with a digit for another process of the same kind.
    ///
    /// # Errors
    /// When it does not become ready.
    pub(crate) async fn start(
        name: &'static str,
        listen: &str,
        settings: &ServiceSettings,
    ) -> anyhow::Result<Self> {
        let program = Path::new(&setting("BENCH_PROGRAMS")?)
            .join(format!("guildhall-{}", name.trim_end_matches(char::is_numeric)));
        let mut command = Command::new(program);
        command.arg("serve").envs(settings.iter().cloned());
        Self::run(name, command, listen, "/readyz").await
    }

    /// Starts a program, and waits until it responds 200 at this path.
    ///
    /// # Errors
    /// When it does not respond.
    pub(crate) async fn run(
        name: &'static str,
        mut command: Command,
        listen: &str,
        path: &str,
    ) -> anyhow::Result<Self> {
        let folder = PathBuf::from(setting("BENCH_STACK")?);
        // The access log of the api is a part of its cost, so it is written to a file as on a site.
        let log = OpenOptions::new().create(true).append(true).open(folder.join(format!("{name}.log")))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).kill_on_drop(true);
        let started = Instant::now();
        let child = command.spawn().with_context(|| format!("{command:?}"))?;
        let mut service = Self { name, child, folder, ready_after: Duration::ZERO };
        write_pid(&service.folder, name, &service.pid().context("it has ended")?.to_string())?;
        service.wait_until_ready(listen, path, started).await?;
        service.ready_after = started.elapsed();
        Ok(service)
    }

    async fn wait_until_ready(&mut self, listen: &str, path: &str, started: Instant) -> anyhow::Result<()> {
        let probe = HttpClient::new(listen).with_time_limit(Duration::from_secs(5)).get(path);
        while !probe.send().await.is_ok_and(|response| response.is_success()) {
            if let Some(status) = self.child.try_wait()? {
                bail!("{} has stopped: {status}. Its log is in {}", self.name, self.folder.display());
            }
            if started.elapsed() > START_TIME_LIMIT {
                bail!("{} is not ready after {START_TIME_LIMIT:?}", self.name);
            }
            sleep(CHECK_INTERVAL).await;
        }
        Ok(())
    }

    /// The process, while it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Stops the process.
    ///
    /// # Errors
    /// When it does not stop.
    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        let pid = self.pid().with_context(|| format!("{} has ended by itself", self.name))?;
        send_signal("TERM", &[pid.to_string()]).await?;
        let stopped = timeout(STOP_TIME_LIMIT, self.child.wait()).await;
        stopped.with_context(|| format!("{} does not stop", self.name))??;
        Ok(fs::remove_file(self.folder.join(format!("{}.pid", self.name)))?)
    }
}
