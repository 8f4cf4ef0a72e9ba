//! The course of a drill: players use the site, faults are injected, and everything is compared at the end.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use futures_util::future::join_all;
use guildhall_testkit::traces;
use serde_json::json;
use tokio::time::sleep;

use super::{
    cache_check, deaths,
    fault::Fault,
    injector,
    load::{Played, PlayerLoad},
    monitors::Monitors,
    newcomers::{NAME, Newcomers},
    players::PlayerGroup,
    public_lists::PublicLists,
    report::{Report, describe_environment},
    settings::ChaosSettings,
    site::ChaosSite,
};
use crate::{consistency, journal::Journal, panics::catch_panic, stack::Stack};

/// The time limit for unfinished work after the load has stopped.
const UNFINISHED_WORK_LIMIT: Duration = Duration::from_secs(180);

/// RabbitMQ counts the messages of its queues every five seconds.
const QUEUE_COUNT_INTERVAL: Duration = Duration::from_secs(6);

/// Commands that each drill must apply. Otherwise it has tested nothing.
const REQUIRED_COMMANDS: [&str; 9] = [
    "guild.create",
    "guild.accept_invite",
    "guild.kick",
    "shop.create_offer",
    "shop.purchase",
    "game.acknowledge_deliveries",
    "game.report_deaths",
    "news.create",
    "payment.create",
];

/// Runs a drill.
///
/// # Errors
/// When a check fails, or the drill cannot continue.
pub async fn run(settings: &ChaosSettings) -> anyhow::Result<()> {
    let stack = Stack::from_environment()?;
    let journal = Arc::new(Journal::create(&stack.file("journal.jsonl"))?);
    let site = Arc::new(ChaosSite::from_environment(journal).await?);
    let mut environment = describe_environment(&site, settings.seed).await?;
    println!("seed {}: {} groups of players open their accounts", settings.seed, settings.cells);
    let creations = (0..settings.cells).map(|number| {
        let task = format!("the creation of cell {number}");
        let creation = PlayerGroup::create(site.clone(), number, settings.seed);
        async move { catch_panic(&task, creation).await }
    });
    let groups: Vec<PlayerGroup> = join_all(creations).await.into_iter().collect::<anyhow::Result<_>>()?;

    let load = PlayerLoad::start(&site, groups, settings.action_interval());
    let mut report = Report::default();
    let mut monitors = Monitors::default();
    let injected = {
        let inject = catch_panic("the injector", injector::run(&site, settings, &mut report, &load.panicked));
        let watch = catch_panic("a monitor", async {
            tokio::join!(monitors.run(&site), load.cancel_on_uncaught_panic());
            Ok(())
        });
        tokio::pin!(inject);
        tokio::select! {
            injected = &mut inject => injected,
            // The injector ends its fault first. Otherwise a part would stay frozen.
            watched = watch => {
                load.panicked.cancel();
                inject.await.and(watched)
            }
        }
    };
    load.stop_players();
    // The checks run even after an error.
    if let Err(error) = injected {
        report.add_violation(&site, format!("died: {error:#}")).await;
    }
    injector::restart_ended_processes(&site, &mut report).await;
    println!("the players stop, and the checks begin");
    let Played { groups, bought, leases, deaths, changes, newcomers } = load.finish(&site, &mut report).await;
    if let Err(unfinished) = wait_until_work_is_finished(&site).await {
        report.add_violation(&site, format!("{unfinished:#}")).await;
    }
    injector::restart_ended_processes(&site, &mut report).await;
    report.add_violations(&site, compare_deliveries(&bought, &leases)).await;
    report.add_violations(&site, deaths::check(&site, deaths).await?).await;
    report.add_violations(&site, changes.check(&site).await?).await;
    report.add_violations(&site, check_newcomers(&site, &newcomers).await?).await;
    if let Err(error) = catch_panic("the checks", check(&site, &groups, &mut report)).await {
        report.add_violation(&site, format!("died: the checks cannot run: {error:#}")).await;
    }
    let by_command = consistency::count_by_command(&site.database).await?;
    for command in REQUIRED_COMMANDS {
        if by_command[command]["applied"].as_u64().is_none_or(|applied| applied == 0) {
            report.add_violation(&site, format!("wrong: no {command} was applied")).await;
        }
    }
    environment["by_command"] = by_command;
    environment["newcomers"] = json!(newcomers);
    report.finish(&site, &monitors, environment, settings).await
}

/// Each bought delivery must be leased once, and no other.
fn compare_deliveries(bought: &HashSet<String>, leases: &HashMap<String, usize>) -> Vec<String> {
    let missing = bought.iter().filter(|id| !leases.contains_key(*id));
    let missing = missing.map(|id| format!("lost: {id} was bought and never leased"));
    let unknown = leases.keys().filter(|id| !bought.contains(*id));
    let unknown = unknown.map(|id| format!("duplicated: {id} was leased and never bought"));
    let repeated = leases.iter().filter(|(_, count)| **count > 1);
    let repeated = repeated.map(|(id, count)| format!("duplicated: {id} was leased {count} times"));
    missing.chain(unknown).chain(repeated).collect()
}

/// Deleted accounts leave no trace, and each step of their lives was possible.
async fn check_newcomers(site: &ChaosSite, newcomers: &Newcomers) -> anyhow::Result<Vec<String>> {
    let traces = traces::find(&site.database, NAME).await?;
    let traces = traces.iter().map(|(table, row)| format!("wrong: {table} names a deleted account: {row}"));
    let mut violations: Vec<_> = traces.collect();
    if !newcomers.are_complete() {
        violations.push(format!("wrong: {newcomers:?}"));
    }
    Ok(violations)
}

/// Waits until no work is unfinished and the queues are empty.
async fn wait_until_work_is_finished(site: &ChaosSite) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut rest_started = None;
    loop {
        let unfinished = consistency::count_unfinished(&site.database).await?;
        let queues = if unfinished > 0 { String::new() } else { site.stack.non_empty_queues().await? };
        if unfinished > 0 || !queues.is_empty() {
            rest_started = None;
        } else if rest_started.get_or_insert_with(Instant::now).elapsed() > QUEUE_COUNT_INTERVAL {
            return Ok(());
        }
        ensure!(
            started.elapsed() < UNFINISHED_WORK_LIMIT,
            "lost: {unfinished} rows are unfinished after {UNFINISHED_WORK_LIMIT:?}, and the queues hold [{queues}]"
        );
        sleep(Duration::from_millis(200)).await;
    }
}

/// Compares all responses with the database and the cache.
async fn check(site: &ChaosSite, groups: &[PlayerGroup], report: &mut Report) -> anyhow::Result<()> {
    let reused = site.journal.reused_operations();
    let reused = reused.iter().map(|key| format!("lost: {key} received the operation of another request"));
    report.add_violations(site, reused).await;
    let outcomes = site.journal.outcomes();
    report.add_violations(site, consistency::check_operations(&site.database, &outcomes).await?).await;
    let poison = report.count(Fault::Poison);
    report.add_violations(site, consistency::check_after_load(&site.database, poison).await?).await;
    for offer in &site.limited_offers {
        if let Err(violation) = offer.check(&site.anonymous).await {
            report.add_violation(site, format!("{violation:#}")).await;
        }
    }
    // First with the cache as it is, and then with a newly loaded one.
    check_reads(site, groups, report).await?;
    report.add_violations(site, cache_check::check(site).await?).await;
    check_reads(site, groups, report).await
}

/// Reads everything that the groups own.
async fn check_reads(site: &ChaosSite, groups: &[PlayerGroup], report: &mut Report) -> anyhow::Result<()> {
    let (lists, violations) = PublicLists::read(site).await?;
    report.add_violations(site, violations).await;
    // At the same time: on a broken site each read lasts until its client gives up.
    let results = join_all(groups.iter().map(|group| group.check_everything(&lists))).await;
    for (group, result) in groups.iter().zip(results) {
        if let Err(violation) = result {
            report.add_violation(site, group.describe(&violation)).await;
        }
    }
    Ok(())
}
