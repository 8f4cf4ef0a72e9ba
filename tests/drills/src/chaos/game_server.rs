//! A game server that leases and acknowledges deliveries.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::ensure;
use guildhall_testkit::http::{items, text};
use serde_json::json;

use super::site::ChaosSite;

/// The lease that the game server requests.
const LEASE: Duration = Duration::from_secs(5);

/// After the drill has stopped, no delivery may be leased any more after this time.
const LAST_LEASE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Leases and acknowledges deliveries until `stop` is set and none is left. Counts how often each was leased.
///
/// # Errors
/// When the site refuses a request, or deliveries never end.
pub(super) async fn run(
    site: &ChaosSite,
    stop: &AtomicBool,
    leases: &mut HashMap<String, usize>,
) -> anyhow::Result<()> {
    let path = format!("/game/deliveries?limit=100&wait=1&lease={}", LEASE.as_secs());
    let mut stopping = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            stopping.get_or_insert_with(Instant::now);
        }
        let leased = site.game.get(&path).await?;
        let ids = items(&leased)?.iter().map(|it| text(&it["delivery_id"])).collect::<Result<Vec<_>, _>>()?;
        match stopping {
            Some(_) if ids.is_empty() => return Ok(()),
            Some(started) => ensure!(
                started.elapsed() < LAST_LEASE_TIME_LIMIT,
                "duplicated: deliveries are still leased after {LAST_LEASE_TIME_LIMIT:?}: {ids:?}"
            ),
            None if ids.is_empty() => continue,
            None => {}
        }
        for id in &ids {
            *leases.entry((*id).to_owned()).or_default() += 1;
        }
        // Twice, as a game server does that does not know whether its first request arrived.
        for _ in 0..2 {
            let acknowledged = site.game.post("/game/deliveries/ack", json!({ "delivery_ids": ids })).await?;
            ensure!(acknowledged["status"] == "applied", "wrong: {acknowledged}");
        }
    }
}
