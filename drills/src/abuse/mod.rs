//! Bad input and rough clients against a site at work: whatever they send or leave out, others are answered, nothing
//! fails, hangs or grows.

mod bodies;
mod connection;
mod heads;
mod ordinary;
mod silent;
mod site;
mod slow;
mod texts;

use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::json;
use tokio::time::sleep;

use self::{bodies::Hands, ordinary::Times, silent::Kind, site::Site, texts::Authors};
use crate::{held::Held, stack::Part};

/// An ordinary client's request, whatever others do.
const QUICK: Duration = Duration::from_millis(500);

/// What all later rounds may hold beyond what the first two did: noise of the allocator.
const GROWTH: Held = Held { memory: 24 * 1024, files: 16 };

/// Open files beside the connections.
const FILES: usize = 256;

/// How often as many come and go: what the first two leave behind, the last may not add to.
const CROWDS: usize = 3;

/// People who open an account at once.
const RUSH: usize = 120;

#[derive(Args)]
pub struct Settings {
    /// How often everything is done; from three on, what the processes hold must not grow after the first two
    #[arg(long, default_value_t = 4)]
    rounds: usize,

    /// Connections at once that ask nothing; 0 leaves them out
    #[arg(long, default_value_t = 10_000)]
    connections: usize,

    /// Without the slow clients, whom each round has to wait for
    #[arg(long)]
    quick: bool,
}

/// Runs it to the end.
///
/// # Errors
/// When a promise was broken, or the drill itself could not go on.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let site = Site::of_environment()?;
    let files = (settings.connections + FILES) as u64;
    let most = rlimit::increase_nofile_limit(files)?;
    ensure!(
        most >= files,
        "{files} open files are needed, and {most} allowed: ulimit -n, or fewer --connections"
    );
    let (_, times) = ordinary::meanwhile(&site.url, sleep(Duration::from_secs(10))).await?;
    let [api, workers] = held(&site)?;
    println!("nobody else is there: api {api}; workers {workers}");
    println!("    ordinary clients: {times}");
    undisturbed(&site, &times);
    rush(&site).await?;
    for kind in [Kind::Never, Kind::Once].into_iter().filter(|_| settings.connections > 0) {
        let mut left = vec![];
        for _ in 0..CROWDS {
            left.push(silent::crowd(&site, settings.connections, kind).await?);
        }
        grown(&site, "api", &left);
    }
    let (mut api_held, mut workers_held) = (vec![], vec![]);
    for number in 1..=settings.rounds {
        let began = Instant::now();
        let (done, times) = ordinary::meanwhile(&site.url, round(&site, settings)).await?;
        done?;
        // What was closed last is noticed a moment later.
        sleep(Duration::from_secs(5)).await;
        let [api, workers] = held(&site)?;
        println!("round {number}, {:.0?}: {} promises looked at", began.elapsed(), site.checked());
        println!("    api {api}; workers {workers}");
        api_held.push(api);
        workers_held.push(workers);
        println!("    ordinary clients meanwhile: {times}");
        undisturbed(&site, &times);
    }
    grown(&site, "api", &api_held);
    grown(&site, "workers", &workers_held);
    site.conclude()
}

async fn round(site: &Site, settings: &Settings) -> anyhow::Result<()> {
    let player = site.token("player").await?;
    let (admin, game) = (site.token("admin").await?, site.token("game").await?);
    heads::throw(site, &player, &admin).await;
    bodies::throw(site, &Hands { player: player.clone(), admin: admin.clone(), game }).await?;
    let (editor, merchant) = (site.token("editor").await?, site.token("merchant").await?);
    texts::write(site, &Authors { player: player.clone(), editor, merchant, admin }).await?;
    if !settings.quick {
        for slow::Ended { kind, after } in slow::all(site, &player).await? {
            println!("    {kind}: ended after {after:.1?}");
        }
    }
    Ok(())
}

/// Ordinary clients were all answered, and soon.
fn undisturbed(site: &Site, times: &Times) {
    site.expect(times.failed.is_empty(), || format!("ordinary requests failed: {:?}", times.failed));
    let p99 = times.took.percentile(99);
    site.expect(p99.is_some_and(|p99| p99 < QUICK), || format!("ordinary requests took {p99:.1?}"));
}

/// What the api and the workers hold.
fn held(site: &Site) -> anyhow::Result<[Held; 2]> {
    Ok([site.stack.held(Part::Api)?, site.stack.held(Part::Workers)?])
}

fn grown(site: &Site, who: &str, each_time: &[Held]) {
    let held = || each_time.iter().map(Held::to_string).collect::<Vec<_>>().join("; ");
    site.expect(!grows(each_time), || format!("{who} has grown: {}", held()));
}

/// Whether each later one exceeds the first two. A single one tells nothing: the allocator keeps large pieces for a while
/// (a password that is being looked at takes 19 MiB), and goes up and down with them between rounds that are alike.
fn grows(each_time: &[Held]) -> bool {
    let Some((&[first, second], later @ [_, ..])) = each_time.split_first_chunk() else { return false };
    let most = first.most(second);
    later.iter().all(|held| held.exceeds(&most, GROWTH))
}

/// Many open an account at once: each password takes memory, and it is given back.
async fn rush(site: &Site) -> anyhow::Result<()> {
    let before = site.stack.held(Part::Api)?;
    let people = (0..RUSH).map(|_| {
        let name = format!("drill_{}", &uuid::Uuid::new_v4().simple().to_string()[..20]);
        let account =
            json!({ "name": name, "email": format!("{name}@example.org"), "password": "correct horse" });
        async move { site.ask("", Method::POST, "/accounts/register", &account).await }
    });
    let all = stream::iter(people).buffer_unordered(RUSH).collect::<Vec<_>>();
    let (registered, times) = ordinary::meanwhile(&site.url, all).await?;
    let mut busy = 0;
    for answer in registered {
        let (status, answer) = answer?;
        busy += usize::from(status == 503);
        site.expect([201, 202, 503].contains(&status), || format!("a registration: {status} {answer}"));
    }
    sleep(Duration::from_secs(10)).await;
    let after = site.stack.held(Part::Api)?;
    println!("{RUSH} accounts opened at once, {busy} told to wait: api {before}; {after}");
    site.expect(after.memory <= before.memory + silent::REMAINS, || {
        format!("{before} before, {after} after the rush")
    });
    println!("    ordinary clients meanwhile: {times}");
    undisturbed(site, &times);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory_grows(mebibytes: &[u64]) -> bool {
        let held = |&mebibytes| Held { memory: mebibytes * 1024, files: 30 };
        grows(&mebibytes.iter().map(held).collect::<Vec<_>>())
    }

    #[test]
    fn what_grows_each_time_is_told_from_what_goes_up_and_down() {
        assert!(memory_grows(&[75, 100, 125, 150]));
        assert!(memory_grows(&[75, 75, 100]));
        assert!(!memory_grows(&[76, 76, 79, 110]));
        assert!(!memory_grows(&[99, 78, 80, 77, 76, 112, 92, 89]));
        assert!(!memory_grows(&[75, 110]));
        let files = [30, 31, 48, 65].map(|files| Held { memory: 0, files });
        assert!(grows(&files));
    }
}
