//! The floors: small programs that do only the part of the work that no design can avoid.
//!
//! Each runs in a process of its own, from this binary, with the allocator and the profile of the api.

pub(crate) mod http;
pub(crate) mod pipeline;
pub(crate) mod postgres;
pub(crate) mod queue;

use std::{env, time::Duration};

use anyhow::ensure;
use clap::Subcommand;
use guildhall_testkit::processes::run;
use serde::de::DeserializeOwned;
use tokio::process::Command;

use crate::{floor::Floor, rounds::Round, site::BenchSite, wrk};

/// The connections of the floor of transactions.
const CONNECTIONS: u32 = 8;

/// The time that a program may take longer than its measurement.
const GRACE: Duration = Duration::from_secs(30);

/// Measures a floor, and stores the value in the round.
///
/// # Errors
/// When its program or a server fails.
pub(crate) async fn measure(
    floor: Floor,
    site: &BenchSite,
    seconds: u64,
    round: &mut Round,
) -> anyhow::Result<()> {
    let value = match floor {
        Floor::Http => requests_per_second(site, http::FIXED, seconds).await?,
        Floor::Redis => requests_per_second(site, http::FROM_REDIS, seconds).await?,
        Floor::Postgres => transactions(CONNECTIONS, seconds).await?.per_second,
        Floor::Transaction => transactions(1, seconds).await?.p50_ms,
        Floor::Queue => {
            result_of::<queue::MessageFigures>(&["queue", "--seconds", &seconds.to_string()]).await?.p50_ms
        }
        Floor::Pipeline64 => messages(64, seconds).await?.per_second,
        Floor::Pipeline16 => messages(16, seconds).await?.per_second,
    };
    round.insert(floor.key().to_owned(), value);
    Ok(())
}

/// The programs of the floors.
#[derive(Subcommand)]
pub(crate) enum FloorProgram {
    /// Serve the floors (a) and (b) until the process is ended
    Http(http::HttpFloor),
    /// Measure transactions: the floors (c) and (c1)
    Postgres(postgres::PostgresFloor),
    /// Measure messages: the floor (d)
    Queue(queue::QueueFloor),
    /// Measure messages that are written by transactions: the floor (e)
    Pipeline(pipeline::PipelineFloor),
}

impl FloorProgram {
    pub(crate) async fn run(&self) -> anyhow::Result<()> {
        match self {
            Self::Http(settings) => http::serve(settings).await,
            Self::Postgres(settings) => postgres::measure(settings).await,
            Self::Queue(settings) => queue::measure(settings).await,
            Self::Pipeline(settings) => pipeline::measure(settings).await,
        }
    }
}

async fn requests_per_second(site: &BenchSite, path: &str, seconds: u64) -> anyhow::Result<f64> {
    let result = wrk::run(&format!("{}{path}", site.floor_url), &[], seconds).await?;
    ensure!(result.error_responses == 0, "the floor {path} responds with errors");
    Ok(result.per_second)
}

async fn transactions(connections: u32, seconds: u64) -> anyhow::Result<postgres::TransactionFigures> {
    result_of(&["postgres", "--connections", &connections.to_string(), "--seconds", &seconds.to_string()])
        .await
}

async fn messages(clients: u32, seconds: u64) -> anyhow::Result<pipeline::PipelineFigures> {
    result_of(&["pipeline", "--clients", &clients.to_string(), "--seconds", &seconds.to_string()]).await
}

/// Runs a program that prints its result as JSON.
async fn result_of<R: DeserializeOwned>(arguments: &[&str]) -> anyhow::Result<R> {
    let seconds = arguments.last().and_then(|seconds| seconds.parse().ok()).unwrap_or_default();
    let mut program = Command::new(env::current_exe()?);
    let output = run(program.arg("floor").args(arguments), Duration::from_secs(seconds) + GRACE).await?;
    Ok(serde_json::from_str(&output)?)
}
