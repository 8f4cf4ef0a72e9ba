//! Life at a site while its parts are killed, frozen and cut off at random: everything that was answered is compared
//! with what is there, at once and in the end.

mod cell;
mod coins;
mod fault;
mod guild;
mod news;
mod report;
mod shop;
mod site;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Args;
use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use self::{
    cell::Cell,
    fault::Fault,
    report::{Report, Struck},
    site::Site,
};
use crate::{books, journal::Journal, stack::Stack};

/// After the load has ended, everything must have come to rest.
const QUIET_WITHIN: Duration = Duration::from_secs(180);

/// Between the end of a fault and the next: long enough to see how fast the site recovers.
const CALM: std::ops::Range<u64> = 1000..4000;

#[derive(Args)]
pub struct Settings {
    /// How long faults strike
    #[arg(long, default_value_t = 30)]
    minutes: u64,

    /// Two minutes with each fault once
    #[arg(long, conflicts_with = "minutes")]
    short: bool,

    /// Where everything that is random begins
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Groups of three players each
    #[arg(long, default_value_t = 24)]
    cells: usize,

    /// Most requests in a second
    #[arg(long, default_value_t = 150)]
    rate: u32,

    /// Where to write the figures
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Runs it to the end.
///
/// # Errors
/// When anything was lost, doubled or stale, or the drill itself could not go on.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stack = Stack::from_environment()?;
    let journal = Arc::new(Journal::new(&stack.file("journal.jsonl"))?);
    let site = Arc::new(Site::of_environment(journal.clone()).await?);
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
        async move { coins::game_server(&site, &no_more).await }
    });

    let before = report::footprint(&site.stack).await?;
    let struck = strike(&site, settings).await;
    stop.store(true, Ordering::Relaxed);
    let struck = struck?;
    println!("{} faults; everybody stops, and the books are compared", struck.len());

    let mut report = Report::new(settings.seed, &struck);
    let mut cells = Vec::new();
    while let Some(lived) = living.join_next().await {
        let (cell, lived) = lived?;
        match lived {
            Ok(()) => cells.push(cell),
            Err(violation) => report.violated(&site.journal, format!("{violation:#}")),
        }
    }
    no_more.store(true, Ordering::Relaxed);
    let given = game.await?.context("the game server")?;
    quiet(&site).await?;
    report.footprints(before, report::footprint(&site.stack).await?);
    for violation in books::compare(&site.database, &site.journal.told()).await? {
        report.violated(&site.journal, violation);
    }
    let poison = struck.iter().filter(|struck| struck.fault == Fault::Poison).count();
    for violation in books::at_rest(&site.database, poison).await? {
        report.violated(&site.journal, violation);
    }
    for cell in &cells {
        look_twice(&site, cell, &given, &mut report).await?;
    }
    if let Err(error) = books::check(&site.database).await {
        report.violated(&site.journal, format!("lost: {error:#}"));
    }
    report.finish(&site.journal, settings.json.as_deref())
}

async fn live(mut cell: Cell, pause: Duration, stop: Arc<AtomicBool>) -> (Cell, anyhow::Result<()>) {
    while !stop.load(Ordering::Relaxed) {
        let began = Instant::now();
        if let Err(violation) = cell.act().await {
            return (cell, Err(violation));
        }
        // An act is some three requests.
        sleep((pause * 3).saturating_sub(began.elapsed())).await;
    }
    (cell, Ok(()))
}

/// Each fault once, in any order; then at random, two of ten at the same time as another.
async fn strike(site: &Site, settings: &Settings) -> anyhow::Result<Vec<Struck>> {
    let mut random = StdRng::seed_from_u64(settings.seed);
    let mut struck = Vec::new();
    let mut all = Fault::all();
    rand::seq::SliceRandom::shuffle(all.as_mut_slice(), &mut random);
    let until = Duration::from_secs(if settings.short { 0 } else { settings.minutes * 60 });
    let began = Instant::now();
    sleep(Duration::from_secs(3)).await;
    let mut first = all.clone().into_iter();
    loop {
        let fault = match first.next() {
            Some(fault) => fault,
            None if began.elapsed() < until => *all.choose(&mut random).context("there is no fault")?,
            None => break,
        };
        let other =
            (!settings.short && random.random_bool(0.2)).then(|| all.choose(&mut random).copied()).flatten();
        site.journal.note(&json!({ "fault": fault.name(), "with": other.map(Fault::name) }));
        let mut second = random.fork();
        let (one, two) = tokio::join!(fault.strike(site, &mut random), async {
            match other.filter(|other| other.part() != fault.part()) {
                Some(other) => other.strike(site, &mut second).await,
                None => Ok(()),
            }
        });
        one.with_context(|| fault.name())?;
        two.context("the other fault")?;
        let over = site.journal.now();
        site.journal.note(&json!({ "over": fault.name() }));
        println!("{:7.1} s  {}", over.as_secs_f64(), fault.name());
        sleep(Duration::from_millis(random.random_range(CALM))).await;
        struck.push(Struck { fault, alone: other.is_none(), over, until: site.journal.now() });
    }
    Ok(struck)
}

/// Until nothing is on its way any more.
async fn quiet(site: &Site) -> anyhow::Result<()> {
    let began = Instant::now();
    while books::under_way(&site.database).await? > 0 {
        anyhow::ensure!(
            began.elapsed() < QUIET_WITHIN,
            "after {QUIET_WITHIN:?} something is still on its way"
        );
        sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

/// What a cell has, as it is read now, and as it is read when nothing is cached.
async fn look_twice(
    site: &Site,
    cell: &Cell,
    given: &std::collections::HashMap<String, usize>,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    if let Err(violation) = cell.look_at_everything().await {
        report.violated(&site.journal, format!("{violation:#}"));
    }
    for delivery in cell.deliveries.iter().filter(|delivery| !given.contains_key(*delivery)) {
        report.violated(&site.journal, format!("lost: {delivery} was bought and never handed out"));
    }
    Fault::Flush.strike(site, &mut StdRng::seed_from_u64(0)).await?;
    if let Err(violation) = cell.look_at_everything().await {
        report.violated(&site.journal, format!("{violation:#}"));
    }
    Ok(())
}
