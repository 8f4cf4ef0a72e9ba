//! The load: all player groups (cells), the newcomers and the game server, each in a task of its own.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    task::{JoinHandle, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use super::{
    deaths::{self, ReportedDeaths},
    game_changes::FollowedChanges,
    game_server,
    newcomers::{self, Newcomers},
    players::PlayerGroup,
    report::Report,
    site::ChaosSite,
};
use crate::{
    consistency,
    panics::{TaskPanicked, catch_panic, wait_for_uncaught},
};

/// The time limit for deliveries whose leases were lost: several delays that double.
const DELIVERIES_LIMIT: Duration = Duration::from_secs(120);

/// How often each delivery was leased.
type Leases = HashMap<String, usize>;

/// What the game server has received and reported.
#[derive(Default)]
struct GameRecord {
    leases: Leases,
    deaths: ReportedDeaths,
    changes: FollowedChanges,
}

/// The load at work.
pub(super) struct PlayerLoad {
    cells: Cells,
    newcomers: JoinHandle<(Newcomers, anyhow::Result<()>)>,
    stop_game_server: Arc<AtomicBool>,
    game_server: JoinHandle<(GameRecord, anyhow::Result<()>)>,
    /// Cancelled when a task of the drill has panicked. The drill ends then.
    pub panicked: CancellationToken,
}

/// The results of the load.
#[derive(Default)]
pub(super) struct Played {
    /// The groups without a violation.
    pub groups: Vec<PlayerGroup>,
    /// The ids of all deliveries that players bought.
    pub bought: HashSet<String>,
    pub leases: Leases,
    pub deaths: ReportedDeaths,
    pub changes: FollowedChanges,
    pub newcomers: Newcomers,
}

impl PlayerLoad {
    pub(super) fn start(site: &Arc<ChaosSite>, groups: Vec<PlayerGroup>, interval: Duration) -> Self {
        let panicked = CancellationToken::new();
        let stop_game_server = Arc::<AtomicBool>::default();
        let game_server = tokio::spawn({
            let (site, stop, panicked) = (site.clone(), stop_game_server.clone(), panicked.clone());
            let players = groups.iter().flat_map(|group| &group.players);
            let characters: Vec<String> = players.map(|player| player.character.clone()).collect();
            async move {
                let mut record = GameRecord::default();
                let serving = async {
                    let leasing = game_server::run(&site, &stop, &mut record.leases);
                    let reporting = deaths::run(&site, &stop, &characters, &mut record.deaths);
                    let following = record.changes.run(&site, &stop);
                    tokio::try_join!(leasing, reporting, following).map(drop)
                };
                let result = catch_panic("the game server", serving).await;
                cancel_on_panic(&result, &panicked);
                (record, result)
            }
        });
        let cells = Cells::start(groups, interval, &panicked);
        let newcomers = tokio::spawn({
            let (site, stop, panicked) = (site.clone(), cells.stop.clone(), panicked.clone());
            async move {
                let mut newcomers = Newcomers::default();
                let living = newcomers::run(&site, &stop, &mut newcomers);
                let result = catch_panic("the newcomers", living).await;
                cancel_on_panic(&result, &panicked);
                (newcomers, result)
            }
        });
        Self { cells, newcomers, stop_game_server, game_server, panicked }
    }

    pub(super) fn stop_players(&self) {
        self.cells.stop.store(true, Ordering::Relaxed);
    }

    /// Ends the drill when a task panics that is not one of these.
    pub(super) async fn cancel_on_uncaught_panic(&self) {
        wait_for_uncaught().await;
        self.panicked.cancel();
    }

    /// Waits until all have stopped.
    pub(super) async fn finish(self, site: &ChaosSite, report: &mut Report) -> Played {
        let mut played = self.cells.finish(site, report).await;
        let result = match self.newcomers.await {
            Ok((newcomers, result)) => {
                played.newcomers = newcomers;
                result
            }
            Err(error) => Err(error.into()),
        };
        if let Err(violation) = result {
            report.add_violation(site, format!("{violation:#}")).await;
        }
        if let Err(error) = wait_for_deliveries(site).await {
            report.add_violation(site, format!("{error:#}")).await;
        }
        self.stop_game_server.store(true, Ordering::Relaxed);
        let result = match self.game_server.await {
            Ok((record, result)) => {
                GameRecord { leases: played.leases, deaths: played.deaths, changes: played.changes } = record;
                result
            }
            Err(error) => Err(error.into()),
        };
        if let Err(violation) = result {
            report.add_violation(site, format!("{violation:#}")).await;
        }
        played
    }
}

/// The player groups at work.
struct Cells {
    stop: Arc<AtomicBool>,
    tasks: JoinSet<(PlayerGroup, anyhow::Result<()>)>,
}

impl Cells {
    fn start(groups: Vec<PlayerGroup>, interval: Duration, panicked: &CancellationToken) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let mut tasks = JoinSet::new();
        for group in groups {
            tasks.spawn(play(group, interval, stop.clone(), panicked.clone()));
        }
        Self { stop, tasks }
    }

    /// Waits until all groups have stopped, and reports the violations.
    async fn finish(mut self, site: &ChaosSite, report: &mut Report) -> Played {
        let mut played = Played::default();
        while let Some(joined) = self.tasks.join_next().await {
            let (group, result) = match joined {
                Ok(joined) => joined,
                Err(error) => {
                    report.add_violation(site, format!("died: a cell: {error:#}")).await;
                    continue;
                }
            };
            played.bought.extend(group.players.iter().flat_map(|player| player.deliveries.clone()));
            match result {
                Ok(()) => played.groups.push(group),
                Err(violation) => report.add_violation(site, group.describe(&violation)).await,
            }
        }
        played
    }
}

async fn play(
    mut group: PlayerGroup,
    interval: Duration,
    stop: Arc<AtomicBool>,
    panicked: CancellationToken,
) -> (PlayerGroup, anyhow::Result<()>) {
    let task = format!("cell {}", group.name);
    while !stop.load(Ordering::Relaxed) {
        let started = Instant::now();
        let result = catch_panic(&task, group.act()).await;
        if let Err(violation) = &result {
            println!("group {} stops: {violation:#}", group.name);
            cancel_on_panic(&result, &panicked);
            return (group, result);
        }
        sleep(interval.saturating_sub(started.elapsed())).await;
    }
    (group, Ok(()))
}

fn cancel_on_panic(result: &anyhow::Result<()>, panicked: &CancellationToken) {
    if result.as_ref().is_err_and(|error| error.is::<TaskPanicked>()) {
        panicked.cancel();
    }
}

/// Waits until the game server has made all deliveries. Each lost response of a lease delays its deliveries longer. The checks
/// report deliveries that are left at the time limit.
async fn wait_for_deliveries(site: &ChaosSite) -> anyhow::Result<()> {
    let started = Instant::now();
    while consistency::count_open_deliveries(&site.database).await? > 0
        && started.elapsed() < DELIVERIES_LIMIT
    {
        sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use http::Method;
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use serde_json::json;

    use super::*;

    /// A cell without players panics when it chooses one. This seed lets it begin with its guild.
    fn seed_of_an_act_in_guild() -> u64 {
        (0..).find(|seed| StdRng::seed_from_u64(*seed).random_range(0..100) < 45).unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn panicking_cell_ends_the_drill_with_its_story() {
        guildhall_common::platform::telemetry::init_tls();
        let site = Arc::new(ChaosSite::unreachable().await);
        let player = site.anonymous.with_token("drill_bc_0", "token".to_owned());
        player.try_post("/guild/invite", json!({ "character_name": "Drill Bc Dog" })).await.unwrap();
        let stranger = site.anonymous.with_token("drill_b_0", "token".to_owned());
        stranger.try_post("/guild/leave", json!({ "character_name": "Drill B Dog" })).await.unwrap();
        let group = PlayerGroup::without_players(site.clone(), "bc", seed_of_an_act_in_guild());

        let panicked = CancellationToken::new();
        let cells = Cells::start(vec![group], Duration::ZERO, &panicked);
        tokio::time::timeout(Duration::from_secs(60), panicked.cancelled())
            .await
            .expect("the drill does not end");
        let mut report = Report::default();
        let played = cells.finish(&site, &mut report).await;

        assert!(played.groups.is_empty());
        let [violation] = report.violations() else { panic!("{:?}", report.violations()) };
        assert!(
            violation.starts_with("died: cell bc panicked at tests/drills/src/chaos/players/"),
            "{violation}"
        );
        assert!(violation.contains("index out of bounds: the len is 0"), "{violation}");
        let evidence = report.evidence().join("\n");
        let request = format!("{} /guild/invite", Method::POST);
        assert!(evidence.contains(&request) && evidence.contains("drill_bc_0"), "{evidence}");
        assert!(!evidence.contains("/guild/leave"), "{evidence}");
        std::fs::remove_dir_all(site.stack.file("")).unwrap();
    }
}
