//! The course of the drill.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use clap::Args;
use futures_util::{StreamExt, stream};
use guildhall_testkit::{http::registration, resource_usage::ResourceUsage};
use http::Method;
use tokio::time::sleep;

use super::{
    background_clients,
    bodies::{self, Tokens},
    http_syntax,
    idle_connections::{self, FirstRequest},
    limits::{Limits, check_growth},
    one_address, random_tokens,
    site::AbuseSite,
    slow_clients,
    texts::{self, Authors},
};
use crate::process::Part;

/// Open files in addition to the connections.
const OTHER_FILES: usize = 256;

/// How often the idle connections are opened. The last time may not add to the usage of the first two.
const IDLE_ROUNDS: usize = 3;

/// The number of accounts that are registered at the same time.
const CONCURRENT_REGISTRATIONS: usize = 120;

#[derive(Args)]
pub struct AbuseSettings {
    /// How many rounds to run; with three or more, the processes may not grow after the first two
    #[arg(long, default_value_t = 4)]
    rounds: usize,

    /// How many idle connections to open at the same time; 0 skips them
    #[arg(long, default_value_t = 10_000)]
    connections: usize,

    /// Skip the slow clients, which take minutes, and do not judge response times
    #[arg(long)]
    quick: bool,
}

/// Runs the drill.
///
/// # Errors
/// When a check fails, or the drill cannot continue.
pub async fn run(settings: &AbuseSettings) -> anyhow::Result<()> {
    let site = Arc::new(AbuseSite::from_environment()?);
    allow_open_files(settings.connections.max(one_address::CONNECTIONS))?;
    let idle = sleep(Duration::from_secs(10));
    let (_, undisturbed) = background_clients::run_beside(&site.http, idle).await?;
    let [api, workers] = usage(&site)?;
    println!("without other clients: api {api}; workers {workers}");
    println!("    background clients: {undisturbed}");
    let limits = Limits::new(&undisturbed, settings.quick);
    limits.check_background(&site, &undisturbed);
    register_many(&site, &limits).await?;
    if !settings.quick {
        random_tokens::guess(&site).await?;
        one_address::hold_all(&site, &limits).await?;
    }
    if settings.connections > 0 {
        for first_request in [FirstRequest::Never, FirstRequest::Once] {
            let mut samples = vec![];
            for _ in 0..IDLE_ROUNDS {
                let count = settings.connections;
                samples.push(idle_connections::open_many(&site, &limits, count, first_request).await?);
            }
            check_growth(&site, "api", &samples);
        }
    }
    run_rounds(&site, &limits, settings).await?;
    site.conclude()
}

fn allow_open_files(connections: usize) -> anyhow::Result<()> {
    let files = (connections + OTHER_FILES) as u64;
    let allowed = rlimit::increase_nofile_limit(files)?;
    ensure!(
        allowed >= files,
        "{files} open files are required, but only {allowed} are allowed. Use ulimit -n, or fewer --connections"
    );
    Ok(())
}

async fn run_rounds(site: &AbuseSite, limits: &Limits, settings: &AbuseSettings) -> anyhow::Result<()> {
    let (mut api_samples, mut workers_samples) = (vec![], vec![]);
    for number in 1..=settings.rounds {
        let started = Instant::now();
        let round = run_round(site, settings);
        let (done, background) = background_clients::run_beside(&site.http, round).await?;
        done?;
        // The server notices the last closed connections a moment later.
        sleep(Duration::from_secs(5)).await;
        let [api, workers] = usage(site)?;
        println!("round {number}, {:.0?}: {} checks", started.elapsed(), site.check_count());
        println!("    api {api}; workers {workers}");
        api_samples.push(api);
        workers_samples.push(workers);
        println!("    background clients: {background}");
        limits.check_background(site, &background);
    }
    check_growth(site, "api", &api_samples);
    check_growth(site, "workers", &workers_samples);
    Ok(())
}

async fn run_round(site: &AbuseSite, settings: &AbuseSettings) -> anyhow::Result<()> {
    let player = site.log_in("player").await?;
    let (admin, game) = (site.log_in("admin").await?, site.log_in("game").await?);
    http_syntax::send_all(site, &player, &admin).await;
    bodies::send_all(site, &Tokens { player: player.clone(), admin: admin.clone(), game }).await?;
    let (editor, merchant) = (site.log_in("editor").await?, site.log_in("merchant").await?);
    texts::store_all(site, &Authors { player: player.clone(), editor, merchant, admin }).await?;
    if !settings.quick {
        for closed in slow_clients::run_all(site, &player).await? {
            println!("    {}: closed after {:.1?}", closed.kind, closed.after);
        }
    }
    Ok(())
}

/// The usage of the api and of the workers.
fn usage(site: &AbuseSite) -> anyhow::Result<[ResourceUsage; 2]> {
    Ok([site.stack.usage(Part::Api)?, site.stack.usage(Part::Workers)?])
}

/// Registers many accounts at the same time. Each password takes memory, which must be released.
async fn register_many(site: &AbuseSite, limits: &Limits) -> anyhow::Result<()> {
    let before = site.stack.usage(Part::Api)?;
    let registrations = (0..CONCURRENT_REGISTRATIONS).map(|_| {
        let name = format!("drill_{}", &uuid::Uuid::new_v4().simple().to_string()[..20]);
        let account = registration(&name, "correct horse");
        async move { site.send("", Method::POST, "/accounts/register", &account).await }
    });
    let all = stream::iter(registrations).buffer_unordered(CONCURRENT_REGISTRATIONS).collect::<Vec<_>>();
    let (responses, background) = background_clients::run_beside(&site.http, all).await?;
    let mut overloaded = 0;
    for response in responses {
        let (status, body) = response?;
        overloaded += usize::from(status == 503);
        site.check([201, 202, 503].contains(&status), || format!("a registration: {status} {body}"));
    }
    sleep(Duration::from_secs(10)).await;
    let after = site.stack.usage(Part::Api)?;
    println!(
        "{CONCURRENT_REGISTRATIONS} registrations at the same time, {overloaded} with status 503: api {before}; {after}"
    );
    site.check(after.memory <= before.memory + idle_connections::RETAINED_MEMORY, || {
        format!("{before} before, {after} after the registrations")
    });
    println!("    background clients: {background}");
    limits.check_background(site, &background);
    Ok(())
}
