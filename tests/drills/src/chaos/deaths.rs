//! A game server that reports deaths of the players' characters, and the check that each one is listed once.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::ensure;
use guildhall_testkit::http::{items, text};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::ChaosSite;

/// The delay before the next report.
const INTERVAL: Duration = Duration::from_millis(200);

/// The number of deaths in a report.
const DEATHS: usize = 3;

/// The beginning of the ids. No other deaths have it.
const PREFIX: &str = "drill:";

/// The reported deaths by their ids.
pub(super) type ReportedDeaths = HashMap<String, Value>;

/// Reports deaths until `stop` is set. In every second one, the killer is another player.
///
/// # Errors
/// When the site refuses a report, or stores a death twice.
pub(super) async fn run(
    site: &ChaosSite,
    stop: &AtomicBool,
    characters: &[String],
    deaths: &mut ReportedDeaths,
) -> anyhow::Result<()> {
    if characters.is_empty() {
        return Ok(());
    }
    while !stop.load(Ordering::Relaxed) {
        let reported: Vec<Value> =
            (deaths.len()..).take(DEATHS).map(|number| death(number, characters)).collect();
        for death in &reported {
            deaths.insert(text(&death["death_id"])?.to_owned(), death.clone());
        }
        let report = json!({ "deaths": reported });
        // Twice, as a game server does that does not know whether its first request arrived.
        for (created, unchanged) in [(DEATHS, 0), (0, DEATHS)] {
            let response = site.game.post("/game/deaths", report.clone()).await?;
            let expected = json!({ "created": created, "unchanged": unchanged, "skipped": [] });
            ensure!(response["result"] == expected, "duplicated: deaths of {report}: {response}");
        }
        sleep(INTERVAL).await;
    }
    Ok(())
}

fn death(number: usize, characters: &[String]) -> Value {
    let character = |number: usize| &characters[number % characters.len()];
    let is_player = number.is_multiple_of(2);
    let killer = if is_player { character(number + 1) } else { "a dragon lord" };
    json!({
        "death_id": format!("{PREFIX}{number}"), "character_name": character(number), "died_at": "2026-01-01T00:00:00Z",
        "level": 1 + number % 100, "killed_by": killer, "killer_is_player": is_player
    })
}

/// Compares the list of deaths with the reports: each death is listed once, as it was reported.
///
/// # Errors
/// When the site does not respond.
pub(super) async fn check(site: &ChaosSite, mut deaths: ReportedDeaths) -> anyhow::Result<Vec<String>> {
    let mut violations = Vec::new();
    let mut path = "/characters/deaths/1/100".to_owned();
    loop {
        let page = site.anonymous.get(&path).await?;
        for listed in items(&page)? {
            let id = text(&listed["death_id"])?;
            if !id.starts_with(PREFIX) {
                continue;
            }
            match deaths.remove(id) {
                None => {
                    violations.push(format!("duplicated: {id} is listed and not reported, or listed twice"))
                }
                Some(reported) if !is_equal(listed, &reported) => {
                    violations.push(format!("wrong: {reported} is listed as {listed}"));
                }
                Some(_) => {}
            }
        }
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/characters/deaths/1/100?after={next}");
    }
    violations.extend(deaths.keys().map(|id| format!("lost: {id} was reported and is not listed")));
    Ok(violations)
}

/// Whether a death of the list has the values of the report. The list has the id of the character, too.
fn is_equal(listed: &Value, reported: &Value) -> bool {
    let fields = reported.as_object().into_iter().flatten();
    fields.into_iter().all(|(field, value)| listed[field] == *value)
}
