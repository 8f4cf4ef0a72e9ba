//! The course of a run.

use std::{env, fs, time::Duration};

use guildhall_testkit::environment::setting;
use tokio::{process::Command, time::sleep};

use crate::{
    case::{Case, CaseOptions},
    cases::{self, guild_body},
    delay,
    environment::Environment,
    floor::Floor,
    floors::{self, http::FROM_REDIS},
    large,
    measure::MEASURES,
    report,
    rounds::{Round, Rounds},
    scaling,
    services::{Service, Services},
    settings::BenchSettings,
    site::BenchSite,
};

/// The time without requests until the memory of the processes is read: after their start, and after the load.
const IDLE_TIME: Duration = Duration::from_secs(5);

/// Measures, and prints the report.
///
/// # Errors
/// When a server fails, a command is lost, or the floors vary too much for a conclusion.
pub(crate) async fn run(settings: &BenchSettings) -> anyhow::Result<()> {
    if settings.check_options {
        if settings.large {
            println!("{}", settings.scale);
        }
        return Ok(());
    }
    // 1,000 event streams need as many connections.
    rlimit::increase_nofile_limit(8192)?;
    if settings.large {
        large::run(settings).await
    } else if let Some(delay) = settings.delay {
        delay::run(settings, delay).await
    } else if settings.workers {
        scaling::run(settings, settings.worker_share).await
    } else {
        run_cases(settings).await
    }
}

async fn run_cases(settings: &BenchSettings) -> anyhow::Result<()> {
    let (options, cases) = (settings.options(), settings.cases());
    let services = Services::start(&vec![]).await?;
    let mut site = BenchSite::prepare(&setting("GUILDHALL_DATABASE_URL")?).await?;
    if cases.contains(&Case::Streams) {
        site.log_in_watchers().await?;
    }
    let environment = Environment::read(&site.database, options.seconds, options.has_keys).await?;
    let _floors = start_floor_server(&site).await?;
    services.stop().await?;
    let mut rounds = Rounds::default();
    for number in 1..=settings.rounds {
        println!("round {number} of {}", settings.rounds);
        rounds.push(run_round(&site, options, cases).await?);
    }
    report::finish(&rounds, &environment, &settings.files)
}

/// Starts the processes, measures each floor and each case, and stops the processes.
async fn run_round(site: &BenchSite, options: CaseOptions, cases: &[Case]) -> anyhow::Result<Round> {
    let mut round = Round::new();
    let services = Services::start(&vec![]).await?;
    for (key, service) in [("start-api", &services.api), ("start-workers", &services.workers)] {
        round.insert(key.to_owned(), service.ready_after.as_secs_f64() * 1000.0);
    }
    sleep(IDLE_TIME).await;
    for name in ["api", "workers"] {
        round.insert(format!("idle-memory-{name}"), megabytes(site.processes.memory(name)?.memory));
    }
    warm_up(site, options).await?;
    // A floor is measured immediately before the first case that needs it.
    let mut measured: Vec<Floor> = Vec::new();
    for case in cases {
        for floor in case.floors() {
            if !measured.contains(floor) {
                floors::measure(*floor, site, options.seconds, &mut round).await?;
                print_value(&round, floor.key());
                measured.push(*floor);
            }
        }
        cases::measure(*case, site, options, &mut round).await?;
        print_value(&round, case.name());
    }
    sleep(IDLE_TIME).await;
    let [api, workers] = [site.processes.memory("api")?, site.processes.memory("workers")?];
    for (key, kibibytes) in [
        ("memory-api", api.memory),
        ("memory-workers", workers.memory),
        ("memory-both", api.memory + workers.memory),
        ("heap-api", api.heap),
        ("heap-workers", workers.heap),
    ] {
        round.insert(key.to_owned(), megabytes(kibibytes));
    }
    services.stop().await?;
    Ok(round)
}

/// A short load: connections are opened and statements are prepared before the first measurement.
async fn warm_up(site: &BenchSite, options: CaseOptions) -> anyhow::Result<()> {
    let mut ignored = Round::new();
    cases::measure(Case::Waited64, site, CaseOptions { seconds: 1, ..options }, &mut ignored).await
}

/// From KiB to MB.
fn megabytes(kibibytes: u64) -> f64 {
    kibibytes as f64 * 1024.0 / 1e6
}

fn print_value(round: &Round, key: &str) {
    if let (Some(value), Some(measure)) = (round.get(key), MEASURES.iter().find(|measure| measure.key == key))
    {
        println!("  {}: {value:.1} {}", measure.title, measure.unit.name());
    }
}

/// Starts the server of the floors (a) and (b), with the body of a guild's view. It ends when the value is dropped.
async fn start_floor_server(site: &BenchSite) -> anyhow::Result<Service> {
    let body = site.folder.join("floor.json");
    fs::write(&body, guild_body(site).await?)?;
    let listen = site.floor_url.trim_start_matches("http://");
    let mut command = Command::new(env::current_exe()?);
    command.args(["floor", "http", "--listen", listen, "--body"]).arg(body);
    Service::run("floor", command, listen, FROM_REDIS).await
}
