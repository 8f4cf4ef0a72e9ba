//! Deliveries that game servers lease and acknowledge.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{client::Client, community::StaffRole, options::Options, site::Site, wait::wait_until};

/// Leases the deliveries that are due, for longer than any test takes.
pub(crate) const LEASE: &str = "/game/deliveries?lease=3600";

/// A player with this number of purchases, each of one thing.
pub(crate) async fn player_with_purchases(site: &Site, number: i64) -> Client {
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    site.give_coins(&player, 10_000).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 1 })).await;
    for _ in 0..number {
        purchase(&player, horse).await;
    }
    player
}

async fn purchase(player: &Client, offer_id: i64) {
    let one =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": offer_id, "quantity": 1 }] });
    player.post("/shop/purchase", one).await.result();
}

pub(crate) fn delivery_ids(leased: &Value) -> Vec<String> {
    let items = leased["items"].as_array().unwrap().iter();
    items.map(|item| item["delivery_id"].as_str().unwrap().to_owned()).collect()
}

/// Ends every lease, as its expiry does.
pub(super) async fn end_leases(site: &Site) {
    site.execute("update deliveries set due_at = now()").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_delivery_is_leased_to_one_game_server() {
    let site = Site::start().await;
    player_with_purchases(&site, 30).await;
    let responses =
        join_all((0..10).map(|_| site.game_server().get("/game/deliveries?limit=3&lease=3600"))).await;
    let mut leased: Vec<String> =
        responses.into_iter().flat_map(|response| delivery_ids(&response.ok())).collect();
    leased.sort_unstable();
    leased.dedup();
    assert_eq!(leased.len(), 30);
    site.finish().await;
}

/// The upper limit is the time of the whole long poll: a server without events would respond only then.
#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_game_server_receives_a_new_purchase() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 0).await;
    let game_server = site.game_server().clone();
    let started = Instant::now();
    let waiting = tokio::spawn(async move { game_server.get("/game/deliveries?wait=30").await.ok() });
    // When a shorter poll has ended, the longer one is waiting.
    assert_eq!(site.game_server().get("/game/deliveries?wait=1").await.ok()["items"], json!([]));
    assert!(started.elapsed() >= Duration::from_secs(1));
    purchase(&player, 1).await;
    assert_eq!(delivery_ids(&waiting.await.unwrap()).len(), 1);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_leases_nothing_after_its_token_was_revoked() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 0).await;
    let game_server = site.game_server().clone();
    let waiting = tokio::spawn(async move { game_server.get("/game/deliveries?wait=5").await.ok() });
    // When a shorter poll has ended, the longer one is waiting.
    site.game_server().get("/game/deliveries?wait=1").await.ok();
    site.revoke_service_token().await;
    purchase(&player, 1).await;
    assert_eq!(waiting.await.unwrap()["items"], json!([]));
    site.finish().await;
}

/// The wait is longer than the time limit of a request without `wait`.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_poll_extends_the_time_limit_of_its_request() {
    let site = Site::start_with(Options { command_wait: 10, ..Options::default() }).await;
    let response = site.game_server().get("/game/deliveries?limit=1&wait=30").await;
    assert_eq!((response.status, &response.body["items"]), (200, &json!([])));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_lease_is_given_to_another_game_server() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let first = delivery_ids(&site.game_server().get(LEASE).await.ok());
    assert!(delivery_ids(&site.game_server().get(LEASE).await.ok()).is_empty());
    end_leases(&site).await;
    let again = site.game_server().get(LEASE).await.ok();
    assert_eq!((delivery_ids(&again), &again["items"][0]["attempt"]), (first.clone(), &json!(2)));
    // The lease has expired, but the delivery was made: the acknowledgement counts.
    let acknowledged = json!({ "delivery_ids": first });
    assert_eq!(
        site.game_server().post("/game/deliveries/ack", acknowledged).await.result()["delivered"],
        json!(first)
    );
    end_leases(&site).await;
    assert!(delivery_ids(&site.game_server().get(LEASE).await.ok()).is_empty());
    let line = player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    assert_eq!(line["status"], "delivered");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_of_an_abandoned_request_leases_nothing() {
    let mut site = Site::start_with(Options { command_wait: 10, ..Options::default() }).await;
    player_with_purchases(&site, 1).await;
    site.stop_workers().await;
    site.game_server().get(LEASE).await.problem(503, "outcome_unknown");
    site.start_workers();
    let applied = "select count(*) from operations where command = 'game.lease_deliveries'";
    wait_until("the command is applied", async || site.count(applied).await == 1).await;
    assert_eq!(site.count("select count(*) from deliveries where attempts = 0").await, 1);
    let unanswered = "select coalesce(sum(unanswered_leases), 0) from game_servers";
    assert_eq!(site.count(unanswered).await, 0);
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()).len(), 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_game_servers_handle_deliveries() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss3", StaffRole::Admin).await;
    for (client, status, code) in
        [(site.visitor(), 401, "unauthorized"), (player, 403, "role_missing"), (admin, 403, "role_missing")]
    {
        client.get("/game/deliveries").await.problem(status, code);
        let acknowledged = json!({ "delivery_ids": [uuid::Uuid::nil()] });
        client.post("/game/deliveries/ack", acknowledged).await.problem(status, code);
        let refused = json!({ "deliveries": [{ "delivery_id": uuid::Uuid::nil(), "reason": "No." }] });
        client.post("/game/deliveries/nack", refused).await.problem(status, code);
    }
    let unknown = json!({ "delivery_ids": [uuid::Uuid::nil()] });
    let response = site.game_server().post("/game/deliveries/ack", unknown.clone()).await.result();
    assert_eq!(response["unknown"], unknown["delivery_ids"]);
    for (path, name) in
        [("limit=0", "limit"), ("limit=101", "limit"), ("wait=31", "wait"), ("lease=4", "lease")]
    {
        site.game_server().get(&format!("/game/deliveries?{path}")).await.invalid(name);
    }
    site.game_server()
        .post("/game/deliveries/ack", json!({ "delivery_ids": [] }))
        .await
        .invalid("/delivery_ids");
    site.game_server()
        .post("/game/deliveries/ack", json!({ "delivery_ids": ["x"] }))
        .await
        .invalid("/delivery_ids/0");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_finds_the_deliveries_of_a_buyer_and_of_a_character() {
    let site = Site::start().await;
    let mira = player_with_purchases(&site, 2).await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom Ashwood").await;
    let gift = json!({ "character_name": "Tom Ashwood", "lines": [{ "offer_id": 1, "quantity": 1 }] });
    mira.post("/shop/purchase", gift).await.result();
    let admin = site.player_with_role("boss3", StaffRole::Admin).await;
    let first = delivery_ids(&site.game_server().get("/game/deliveries?limit=1&lease=3600").await.ok());
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": first })).await.result();

    let found = async |filter: &str| {
        let list = admin.get(&format!("/admin/deliveries?{filter}")).await.ok();
        let items = list["items"].as_array().unwrap().iter();
        let names: Vec<_> = items.map(|item| item["character_name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(list["total"], names.len());
        names
    };
    let (buyer, other) =
        (format!("account_id={}", mira.account_id), format!("account_id={}", tom.account_id));
    assert_eq!(found("").await, ["Tom Ashwood", "Mira Stormborn", "Mira Stormborn"]);
    assert_eq!(found(&buyer).await, ["Tom Ashwood", "Mira Stormborn", "Mira Stormborn"]);
    assert_eq!(found(&format!("{buyer}&status=delivered")).await, ["Mira Stormborn"]);
    assert!(found(&other).await.is_empty());
    assert_eq!(found("character=mira%20stormborn").await, ["Mira Stormborn", "Mira Stormborn"]);
    assert_eq!(found("character=Tom%20Ashwood&status=open").await, ["Tom Ashwood"]);
    // The old name of the parameter.
    assert_eq!(found("character=Tom%20Ashwood&state=open").await, ["Tom Ashwood"]);
    assert!(found("character=Nobody").await.is_empty());
    admin.get(&format!("/admin/deliveries?{buyer}&character=Nobody")).await.invalid("character");
    site.finish().await;
}
