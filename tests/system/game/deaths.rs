//! The deaths of characters, as a game server reports them and everybody sees them.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    support::{client::send, community::StaffRole, site::Site, wait::wait_until},
};

fn death(id: &str, character: &str, minute: i64, killed_by: &str, killer_is_player: bool) -> Value {
    json!({
        "death_id": id, "character_name": character, "died_at": format!("2026-01-01T12:{minute:02}:00Z"),
        "level": 87, "killed_by": killed_by, "killer_is_player": killer_is_player
    })
}

async fn report(site: &Site, deaths: &[Value]) -> Value {
    site.game_server().post("/game/deaths", json!({ "deaths": deaths })).await.result()
}

/// The deaths of a list in its order: the character and its killer.
async fn deaths(site: &Site, path: &str) -> Vec<String> {
    let list = site.visitor().get(&format!("/characters/deaths/{path}")).await.ok();
    let deaths = list["items"].as_array().unwrap().iter();
    deaths
        .map(|death| {
            let killer = death.get("killed_by").map_or("?", |name| name.as_str().unwrap());
            format!("{} by {killer}", death["character_name"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_server_reports_deaths_and_everybody_sees_them() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    let mira = site.character(&player, "Mira").await;
    site.character(&player, "Tom").await;
    site.claimed_character(&player, "Claimed").await;
    let mut future = death("6", "Tom", 0, "a rat", false);
    future["died_at"] = json!(Utc::now() + TimeDelta::minutes(10));
    let reported = report(
        &site,
        &[
            death("1", " mira ", 1, "a dragon lord", false),
            death("2", "Tom", 3, "MIRA", true),
            death("3", "Mira", 2, "Claimed", true),
            death("4", "Unknown", 4, "a rat", false),
            death("5", "Claimed", 4, "a rat", false),
            future,
            death("7", "Tom", 5, " ", false),
        ],
    )
    .await;
    let expected = json!({ "created": 3, "unchanged": 0, "skipped": [
        { "death_id": "4", "reason": "character_not_found" }, { "death_id": "5", "reason": "not_confirmed" },
        { "death_id": "6", "reason": "in_future" }, { "death_id": "7", "reason": "killer_missing" }
    ] });
    assert_eq!(reported, expected);

    let list = site.visitor().get("/characters/deaths/3/1").await;
    assert_eq!(list.header("cache-control"), "public, no-cache");
    let list = list.ok();
    let oldest = json!({
        "character_id": mira, "character_name": "Mira", "death_id": "1", "died_at": "2026-01-01T12:01:00Z",
        "level": 87, "killed_by": "a dragon lord", "killer_is_player": false
    });
    assert_eq!((&list["items"], &list["total"]), (&json!([oldest]), &json!(3)));
    // The game has not confirmed the killer of the second one.
    let all = ["Tom by Mira", "Mira by ?", "Mira by a dragon lord"];
    assert_eq!(deaths(&site, "1/10").await, all);
    assert_eq!(deaths(&site, "1/10?character=MIRA").await, all[1..]);
    assert_eq!(deaths(&site, "1/10?character=Nobody").await, [""; 0]);
    site.visitor().get("/characters/deaths/1/10?character=%25").await.invalid("character");
    site.visitor().get("/characters/deaths/1/101").await.invalid("limit");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_death_is_stored_once() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    for name in ["Mira", "Tom"] {
        site.character(&player, name).await;
    }
    let first = [death("1", "Mira", 1, "a rat", false), death("1", "Mira", 2, "a bear", false)];
    let counts =
        |created: i64, unchanged: i64| json!({ "created": created, "unchanged": unchanged, "skipped": [] });
    assert_eq!(report(&site, &first).await, counts(1, 1));
    assert_eq!(report(&site, &first).await, counts(0, 2));
    // Another game may have chosen the same id for a character of its own.
    let same_id = [death("1", "mira", 3, "a wolf", false), death("1", "Tom", 3, "a wolf", false)];
    assert_eq!(report(&site, &same_id).await, counts(1, 1));
    assert_eq!(deaths(&site, "1/10").await, ["Tom by a wolf", "Mira by a rat"]);

    let with_key = async || {
        let request = site.game_server().request(http::Method::POST, "/game/deaths");
        let body = json!({ "deaths": [death("2", "Tom", 4, "a bat", false)] });
        send(request.header("Idempotency-Key", "death-2").json(&body)).await.result()
    };
    assert_eq!((with_key().await, with_key().await), (counts(1, 0), counts(1, 0)));
    assert_eq!(site.count("select count(*) from deaths").await, 3);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_game_server_reports_deaths() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let one = json!({ "deaths": [death("1", "Mira", 1, "a rat", false)] });
    site.visitor().post("/game/deaths", one.clone()).await.problem(401, "unauthorized");
    admin.post("/game/deaths", one.clone()).await.problem(403, "role_missing");
    let game_server = site.game_server();
    let presence = "select count(*) from game_servers where presence_until > now()";
    assert_eq!(site.count(presence).await, 0);
    game_server.post("/game/deaths", one).await.result();
    assert_eq!(site.count(presence).await, 1);
    for (field, value) in [
        ("death_id", json!("two words")),
        ("death_id", json!("")),
        ("level", json!(0)),
        ("killed_by", json!("a\nrat")),
        ("died_at", json!("2026-01-01")),
        ("killer_is_player", json!("no")),
    ] {
        let mut wrong = death("1", "Mira", 1, "a rat", false);
        wrong[field] = value;
        let wrong = json!({ "deaths": [wrong] });
        game_server.post("/game/deaths", wrong).await.invalid(&format!("/deaths/0/{field}"));
    }
    game_server.post("/game/deaths", json!({ "deaths": [] })).await.invalid("/deaths");
    let many = vec![death("1", "Mira", 1, "a rat", false); 101];
    game_server.post("/game/deaths", json!({ "deaths": many })).await.invalid("/deaths");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_character_has_no_deaths_and_is_not_named_as_a_killer() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.character(&mira, "Mira").await;
    site.character(&tom, "Tom").await;
    report(&site, &[death("1", "Mira", 1, "Tom", true), death("2", "Tom", 2, "Mira", true)]).await;
    report(&site, &[death("3", "Mira", 3, "Mira", true), death("4", "Tom", 4, "a rat", false)]).await;
    let all = ["Tom by a rat", "Mira by Mira", "Tom by Mira", "Mira by Tom"];
    assert_eq!(deaths(&site, "1/10").await, all);
    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    wait_until("the deaths are deleted", async || {
        deaths(&site, "1/10").await == ["Tom by a rat", "Tom by ?"]
    })
    .await;
    let again = report(&site, &[death("1", "Mira", 1, "Tom", true)]).await;
    assert_eq!(again["skipped"][0]["reason"], "character_not_found");
    site.finish().await;
}
