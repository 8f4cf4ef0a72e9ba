//! Life at a site while its parts are killed, frozen and cut off at random: everything that was answered is compared
//! with what is there, at once and in the end.

mod cached;
mod cell;
mod coins;
mod fault;
mod footprint;
mod guild;
mod lists;
mod news;
mod rare;
mod report;
mod shop;
mod site;
mod story;
mod strike;

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Args;
use futures_util::future::join_all;
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use self::{cell::Cell, fault::Fault, footprint::Footprints, lists::Shown, report::Report, site::Site};
use crate::{books, journal::Journal, stack::Stack};

/// After the load has ended, everything must have come to rest.
const QUIET_WITHIN: Duration = Duration::from_secs(180);

/// RabbitMQ counts what is in its queues every five seconds.
const COUNTED_WITHIN: Duration = Duration::from_secs(6);

#[derive(Args)]
pub struct Settings {
    /// How long faults strike
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,

    /// Some three minutes with each fault once
    #[arg(long, conflicts_with = "minutes")]
    short: bool,

    /// Only the faults with these words in their names: "kill", "cut rabbitmq"
    #[arg(long)]
    only: Option<String>,

    /// Three nodes of RabbitMQ, two apis behind a proxy and two workers, instead of one of each
    #[arg(long)]
    cluster: bool,

    /// Where everything that is random begins
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Groups of three players each
    #[arg(long, default_value_t = 96)]
    cells: usize,

    /// Requests in a second, about
    #[arg(long, default_value_t = 1000)]
    rate: u32,

    /// Where to write the figures
    #[arg(long)]
    json: Option<PathBuf>,
}

impl Settings {
    /// For how long faults strike, if each has done so by then.
    fn duration(&self) -> Duration {
        let minutes = if self.short { 0.0 } else { self.minutes };
        Duration::try_from_secs_f64(minutes * 60.0).unwrap_or_default()
    }
}

/// Runs it to the end.
///
/// # Errors
/// When anything was lost, doubled or stale, or the drill itself could not go on.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stack = Stack::from_environment()?;
    let journal = Arc::new(Journal::new(&stack.file("journal.jsonl"))?);
    let site = Arc::new(Site::of_environment(journal.clone()).await?);
    let mut about = report::about(&site).await?;
    about["seed"] = json!(settings.seed);
    println!("seed {}: {} cells of players open their accounts", settings.seed, settings.cells);
    let founding = (0..settings.cells).map(|number| Cell::found(site.clone(), number, settings.seed));
    let cells: Vec<Cell> = join_all(founding).await.into_iter().collect::<anyhow::Result<_>>()?;

    let (stop, no_more) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let pause = Duration::from_secs(1).mul_f64(settings.cells as f64 / f64::from(settings.rate.max(1)));
    let mut living = JoinSet::new();
    for cell in cells {
        living.spawn(live(cell, pause, stop.clone()));
    }
    let game = tokio::spawn({
        let (site, no_more) = (site.clone(), no_more.clone());
        async move {
            let mut given = HashMap::new();
            let played = coins::game_server(&site, &no_more, &mut given).await;
            (given, played)
        }
    });

    let mut report = Report::default();
    let mut footprints = Footprints::default();
    let struck = tokio::select! {
        struck = strike::strike(&site, settings, &mut report) => struck,
        () = footprints.watch(&site) => Ok(()),
    };
    stop.store(true, Ordering::Relaxed);
    // Whatever has gone wrong, everybody is there again, and the books are compared.
    if let Err(error) = struck {
        report.violated(&site, format!("died: {error:#}")).await;
    }
    strike::all_run(&site, &mut report).await;
    println!("everybody stops, and the books are compared");

    let (mut cells, mut deliveries) = (Vec::new(), HashSet::new());
    while let Some(lived) = living.join_next().await {
        let (cell, lived) = lived?;
        deliveries.extend(cell.players.iter().flat_map(|player| player.deliveries.clone()));
        match lived {
            Ok(()) => cells.push(cell),
            Err(violation) => report.violated(&site, cell.told(&violation)).await,
        }
    }
    // What was handed out by an answer that was lost is so again.
    sleep(coins::LEASE).await;
    no_more.store(true, Ordering::Relaxed);
    let (given, played) = game.await?;
    if let Err(violation) = played {
        report.violated(&site, format!("{violation:#}")).await;
    }
    if let Err(noise) = quiet(&site).await {
        report.violated(&site, format!("{noise:#}")).await;
    }
    strike::all_run(&site, &mut report).await;
    for delivery in deliveries.iter().filter(|id| !given.contains_key(*id)) {
        report.violated(&site, format!("lost: {delivery} was bought and never handed out")).await;
    }
    for delivery in given.keys().filter(|id| !deliveries.contains(*id)) {
        report.violated(&site, format!("duplicated: {delivery} was handed out and never bought")).await;
    }
    for (delivery, times) in given.iter().filter(|(_, times)| **times > 1) {
        report.violated(&site, format!("duplicated: {delivery} was handed out {times} times")).await;
    }
    if let Err(error) = compare(&site, &cells, &mut report).await {
        report.violated(&site, format!("died: the books cannot be compared: {error:#}")).await;
    }
    let by_command = books::by_command(&site.database).await?;
    for command in LIVED {
        if by_command[command]["applied"].as_u64().is_none_or(|applied| applied == 0) {
            report.violated(&site, format!("wrong: no {command} was ever applied")).await;
        }
    }
    about["by_command"] = by_command;
    report.finish(&site, &footprints, about, settings).await
}

async fn live(mut cell: Cell, pause: Duration, stop: Arc<AtomicBool>) -> (Cell, anyhow::Result<()>) {
    while !stop.load(Ordering::Relaxed) {
        let began = Instant::now();
        if let Err(violation) = cell.act().await {
            println!("cell {} stops: {violation:#}", cell.name);
            return (cell, Err(violation));
        }
        // An act is some three requests.
        sleep((pause * 3).saturating_sub(began.elapsed())).await;
    }
    (cell, Ok(()))
}

/// Of each of these there must have been some, or nothing was tried.
const LIVED: [&str; 8] = [
    "guild.create",
    "guild.accept_invite",
    "guild.kick",
    "shop.create_offer",
    "shop.purchase",
    "game.acknowledge_deliveries",
    "news.create",
    "payment.create",
];

/// Until nothing is on its way any more.
async fn quiet(site: &Site) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut since = None;
    loop {
        let under_way = books::under_way(&site.database).await?;
        let queued = if under_way > 0 { String::new() } else { queued(site).await? };
        if under_way > 0 || !queued.is_empty() {
            since = None;
        } else if since.get_or_insert_with(Instant::now).elapsed() > COUNTED_WITHIN {
            return Ok(());
        }
        anyhow::ensure!(
            began.elapsed() < QUIET_WITHIN,
            "lost: after {QUIET_WITHIN:?} {under_way} things are still on their way; queues hold [{queued}]"
        );
        sleep(Duration::from_millis(200)).await;
    }
}

/// The queues in which something is left, with how much.
async fn queued(site: &Site) -> anyhow::Result<String> {
    let queues = site.stack.dev(&["part", "rabbitmqctl", "list_queues", "name", "messages"]).await?;
    let filled = queues.lines().filter(|line| !line.ends_with("\t0") && line.starts_with("guildhall."));
    Ok(filled.collect::<Vec<_>>().join(", "))
}

/// Everything that was answered with everything that is there.
async fn compare(site: &Site, cells: &[Cell], report: &mut Report) -> anyhow::Result<()> {
    for key in site.journal.told_of_another() {
        report.violated(site, format!("lost: {key} was told of another request's operation")).await;
    }
    for violation in books::compare(&site.database, &site.journal.told()).await? {
        report.violated(site, violation).await;
    }
    for violation in books::at_rest(&site.database, report.times(Fault::Poison)).await? {
        report.violated(site, violation).await;
    }
    for rare in &site.rare {
        if let Err(violation) = rare.compare(site).await {
            report.violated(site, format!("{violation:#}")).await;
        }
    }
    // As it is cached, and as it is when all of that has just been loaded.
    look(site, cells, report).await?;
    for violation in cached::compare(site).await? {
        report.violated(site, violation).await;
    }
    look(site, cells, report).await
}

async fn look(site: &Site, cells: &[Cell], report: &mut Report) -> anyhow::Result<()> {
    let (shown, violations) = Shown::to_everybody(site).await?;
    for violation in violations {
        report.violated(site, violation).await;
    }
    // At once: a site that is broken lets each of them wait for as long as a client's patience lasts.
    let looks = join_all(cells.iter().map(|cell| cell.look_at_everything(&shown))).await;
    for (cell, looked) in cells.iter().zip(looks) {
        if let Err(violation) = looked {
            report.violated(site, cell.told(&violation)).await;
        }
    }
    Ok(())
}
