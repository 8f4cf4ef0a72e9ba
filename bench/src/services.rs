//! The measured processes: the api and the workers, which a run starts again and again, and the servers.

use std::{
    fs::{self, File, OpenOptions},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use tokio::{
    process::{Child, Command},
    time::{sleep, timeout},
};

use crate::setting::setting;

/// The time limit of a start.
const START_TIME_LIMIT: Duration = Duration::from_secs(90);

/// The api and the workers stop within 30 s.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(40);

/// The interval between two checks of a starting process.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// A running api or workers process. Dropping it kills it.
pub(crate) struct Service {
    name: &'static str,
    child: Child,
    pid_file: PathBuf,
    /// The time from the start until `/readyz` responded 200.
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
        let api = Service::start("api", &setting("GUILDHALL_API_LISTEN")?, settings).await?;
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
        let folder = PathBuf::from(setting("BENCH_STACK")?);
        let program = Path::new(&setting("BENCH_PROGRAMS")?)
            .join(format!("guildhall-{}", name.trim_end_matches(char::is_numeric)));
        let log = open_log(&folder, name)?;
        let started = Instant::now();
        let mut command = Command::new(&program);
        command.arg("serve").envs(settings.iter().cloned()).stdin(Stdio::null());
        command.stdout(log.try_clone()?).stderr(log).kill_on_drop(true);
        let child = command.spawn().with_context(|| program.display().to_string())?;
        let pid_file = write_pid_file(&folder, name, &child)?;
        let mut service = Self { name, child, pid_file, ready_after: Duration::ZERO };
        service.wait_until_ready(listen.parse()?, started).await?;
        service.ready_after = started.elapsed();
        Ok(service)
    }

    async fn wait_until_ready(&mut self, address: SocketAddr, started: Instant) -> anyhow::Result<()> {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build()?;
        let url = format!("http://{address}/readyz");
        while !http.get(&url).send().await.is_ok_and(|response| response.status().is_success()) {
            if let Some(status) = self.child.try_wait()? {
                bail!("{} has stopped: {status}. Its log is beside {}", self.name, self.pid_file.display());
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
        let pid = self.child.id().with_context(|| format!("{} has ended by itself", self.name))?;
        Command::new("kill").args(["-TERM", &pid.to_string()]).status().await?;
        let stopped = timeout(STOP_TIME_LIMIT, self.child.wait()).await;
        stopped.with_context(|| format!("{} does not stop", self.name))??;
        Ok(fs::remove_file(&self.pid_file)?)
    }
}

/// The log of a process. The access log of the api is a part of its cost, so it is written to a file as on a site.
pub(crate) fn open_log(folder: &Path, name: &str) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).open(folder.join(format!("{name}.log")))
}

/// Writes the file by which `./dev` finds a process, with its pid and its start time. Returns its path.
///
/// # Errors
/// When the process has ended, or the file cannot be written.
pub(crate) fn write_pid_file(folder: &Path, name: &str, child: &Child) -> anyhow::Result<PathBuf> {
    let pid = child.id().context("the process has ended")?;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let started = stat.rsplit_once(") ").and_then(|(_, fields)| fields.split(' ').nth(19));
    let file = folder.join(format!("{name}.pid"));
    fs::write(&file, format!("{pid} {}\n", started.context("no start time")?))?;
    Ok(file)
}
