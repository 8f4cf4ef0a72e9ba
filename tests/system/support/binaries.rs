//! The two binaries and the scripts, as an operator runs them.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
    time::SystemTime,
};

use guildhall_common::platform::config::ServerSettings;
use secrecy::ExposeSecret;
use tokio::task::block_in_place;

pub(crate) const BINARIES: [&str; 2] = ["guildhall-api", "guildhall-workers"];

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A program with the addresses of a site, and with no other setting.
pub(crate) fn program(path: &Path, servers: &ServerSettings) -> Command {
    let mut command = Command::new(path);
    command
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("GUILDHALL_DATABASE_URL", servers.database_url.expose_secret())
        .env("GUILDHALL_AMQP_URL", servers.amqp_url.expose_secret())
        .env("GUILDHALL_REDIS_URL", servers.redis_url.expose_secret())
        .env("GUILDHALL_NAMESPACE", &servers.namespace)
        .env("WORKERS", binaries().join("guildhall-workers"));
    command
}

/// Runs a command with this standard input.
pub(crate) fn run(command: &mut Command, input: &str) -> Output {
    block_in_place(|| {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        // The program may end without reading it.
        let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
        process.wait_with_output().unwrap()
    })
}

/// The folder of the binaries. `./dev test` has built them; otherwise, or after a change of the code, cargo does it here.
pub(crate) fn binaries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
        let sources =
            ["api/src", "workers/src", "common/src"].map(|source| newest(&repository().join(source)));
        let built = |binary: &&str| fs::metadata(folder.join(binary)).and_then(|file| file.modified()).ok();
        let oldest = BINARIES.iter().map(built).min().flatten();
        if oldest < sources.into_iter().max() {
            let mut cargo = Command::new(env!("CARGO"));
            // All packages, as `./dev test` builds them. With two, cargo would compile their dependencies again for fewer features.
            cargo.args(["build", "--quiet", "--locked", "--workspace", "--bins"]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert!(cargo.current_dir(repository()).status().unwrap().success(), "cargo build failed");
        }
        folder
    })
}

/// When a file of the folder was last changed.
fn newest(folder: &Path) -> SystemTime {
    let times = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() { newest(&path) } else { fs::metadata(path).unwrap().modified().unwrap() }
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
