//! The presence of characters, which ends with the lease of their game server.

use guildhall_common::platform::db;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{client::Client, site::Site, wait::wait_until};

async fn guild_with_members(site: &Site, names: [&str; 3]) -> Vec<Client> {
    let (leader, guild_id) = site.guild(names[0], "Night Watch").await;
    let mut players = vec![leader];
    for name in &names[1..] {
        players.push(site.member(&players[0], guild_id, name).await);
    }
    players
}

async fn online(site: &Site) -> Vec<String> {
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    let members = view["members"].as_array().unwrap().iter().filter(|member| member["online"] == true);
    let mut names: Vec<String> = members.map(|member| member["name"].as_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

fn character(name: &str) -> Value {
    json!({ "name": name, "level": 20, "vocation": "Knight", "online": true })
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_of_a_silent_game_server_become_offline() {
    let site = Site::start().await;
    let players = guild_with_members(&site, ["Mira", "Tom", "Ann"]).await;
    site.report_presence("Tom", 20, true).await;
    site.report_presence("Ann", 20, true).await;
    assert_eq!(online(&site).await, ["Ann", "Tom"]);
    let leave = |name: &str| json!({ "guild_id": 1, "character_name": name });
    players[1].post("/guild/leave", leave("Tom")).await.problem(409, "character_online");

    site.wait_until_ahead("select presence_until from game_servers", "5 minutes").await;
    site.wait_until_ahead("select due_at from jobs where job->>'name' = 'end_presence'", "5 minutes").await;
    // The rules look at the lease. They do not wait for the job.
    site.execute("update game_servers set presence_until = now()").await;
    players[1].post("/guild/leave", leave("Tom")).await.result();
    assert_eq!(online(&site).await, ["Ann"]);
    site.execute("update jobs set due_at = now() where job->>'name' = 'end_presence'").await;
    wait_until("the characters are offline", async || online(&site).await.is_empty()).await;
    players[2].post("/guild/leave", leave("Ann")).await.result();

    // The game server returns.
    site.report_presence("Mira", 20, true).await;
    assert_eq!(online(&site).await, ["Mira"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_of_a_game_server_renews_its_lease() {
    let site = Site::start().await;
    site.game_server().put("/game/characters", json!({ "characters": [] })).await.result();
    let is_renewed = async || {
        let left = "select presence_until > now() + interval '1 minute' from game_servers";
        sqlx::query_scalar::<_, bool>(left).fetch_one(&site.database).await.unwrap()
    };
    let requests: [(&str, Value); 3] = [
        ("", Value::Null),
        ("/ack", json!({ "delivery_ids": [Uuid::nil()] })),
        ("/nack", json!({ "deliveries": [{ "delivery_id": Uuid::nil(), "reason": "No." }] })),
    ];
    for (path, body) in requests {
        let old = "update game_servers set seen_at = now() - interval '4 minutes', presence_until = now() + interval '1 minute'";
        site.execute(old).await;
        assert!(!is_renewed().await);
        let path = format!("/game/deliveries{path}");
        match body {
            Value::Null => drop(site.game_server().get(&path).await.ok()),
            body => drop(site.game_server().post(&path, body).await.result()),
        }
        wait_until("the lease is renewed", is_renewed).await;
    }
    site.finish().await;
}

async fn report_nothing(site: &Site) {
    site.game_server().put("/game/characters", json!({ "characters": [] })).await.result();
}

const PRESENCE_JOBS: &str = "select count(*) from jobs where job->>'name' = 'end_presence'";

/// The commands that wait for a row.
const WAITING: &str =
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_ends_while_it_is_renewed_gets_a_new_job() {
    let site = Site::start().await;
    report_nothing(&site).await;
    site.execute("update jobs set due_at = now() + interval '1 hour' where job->>'name' = 'end_presence'")
        .await;
    report_nothing(&site).await;
    let moved = format!("{PRESENCE_JOBS} and due_at < now() + interval '30 minutes'");
    assert_eq!(site.count(&moved).await, 0, "the job of a valid lease stays as it is");

    site.execute("update game_servers set presence_until = now() + interval '2 seconds'").await;
    // As the job does: it locks the lease, finds that it has expired, and ends.
    let mut job = db::begin(&site.database).await.unwrap();
    sqlx::query("select from game_servers for update").execute(&mut *job).await.unwrap();
    sqlx::query("delete from jobs where job->>'name' = 'end_presence'").execute(&mut *job).await.unwrap();
    let game_server = site.game_server().clone();
    let renewal =
        tokio::spawn(async move { game_server.put("/game/characters", json!({ "characters": [] })).await });
    wait_until("the renewal waits for the lease", async || site.count(WAITING).await > 0).await;
    let expired = "select count(*) from game_servers where presence_until <= clock_timestamp()";
    wait_until("the lease has expired", async || site.count(expired).await == 1).await;
    job.commit().await.unwrap();
    renewal.await.unwrap().result();
    assert_eq!(site.count(PRESENCE_JOBS).await, 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_that_are_not_in_a_snapshot_become_offline() {
    let site = Site::start().await;
    guild_with_members(&site, ["Mira", "Tom", "Ann"]).await;
    for name in ["Mira", "Tom", "Ann"] {
        site.report_presence(name, 20, true).await;
    }
    let snapshot_id = Uuid::now_v7();
    let send = async |characters: Value, last_part: bool| {
        let part = json!({ "characters": characters, "snapshot_id": snapshot_id, "last_part": last_part });
        site.game_server().put("/game/characters", part).await.result();
    };
    send(json!([character("Mira")]), false).await;
    assert_eq!(online(&site).await, ["Ann", "Mira", "Tom"]);
    let offline = json!({ "name": "Ann", "level": 20, "vocation": "Knight", "online": false });
    send(json!([character("Tom"), offline]), true).await;
    assert_eq!(online(&site).await, ["Mira", "Tom"]);
    // The response may have been lost.
    send(json!([character("Tom")]), true).await;
    assert_eq!(online(&site).await, ["Mira", "Tom"]);

    let next = json!({ "characters": [character("Ann")], "snapshot_id": Uuid::now_v7(), "last_part": true });
    site.game_server().put("/game/characters", next).await.result();
    assert_eq!(online(&site).await, ["Ann"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_during_a_snapshot_is_kept() {
    let site = Site::start().await;
    guild_with_members(&site, ["Mira", "Tom", "Ann"]).await;
    site.report_presence("Ann", 20, true).await;
    let send = async |snapshot_id: Uuid, characters: Value, last_part: bool| {
        let part = json!({ "characters": characters, "snapshot_id": snapshot_id, "last_part": last_part });
        site.game_server().put("/game/characters", part).await.result();
    };
    // The game server stops before the last part of the first one.
    let (abandoned, second) = (Uuid::now_v7(), Uuid::now_v7());
    send(abandoned, json!([]), false).await;
    site.report_presence("Ann", 20, true).await;
    send(second, json!([character("Mira")]), false).await;
    site.report_presence("Tom", 20, true).await;
    send(second, json!([]), true).await;
    assert_eq!(online(&site).await, ["Mira", "Tom"]);

    // No snapshot is open any more.
    site.report_presence("Ann", 20, true).await;
    assert_eq!(site.count("select count(*) from snapshot_characters").await, 0);
    site.finish().await;
}
