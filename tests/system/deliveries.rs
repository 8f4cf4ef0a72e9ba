//! What was bought on its way into the game.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    payments::offer,
    support::{Caller, GivenRole, Options, Site},
};

/// A player who has bought so many things, each a purchase of its own.
async fn bought(site: &Site, number: i64) -> Caller {
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    site.character(&player, "Mira Stormborn").await;
    let gift = json!({ "account_id": player.account_id, "coins": 10_000, "reason": "For the test." });
    admin.post("/admin/coins/adjust", gift).await.result();
    let horse = offer(site, json!({ "name": "Horse", "price": 1 })).await;
    for _ in 0..number {
        buy(&player, horse).await;
    }
    player
}

async fn buy(player: &Caller, offer_id: i64) {
    let one =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": offer_id, "quantity": 1 }] });
    player.post("/shop/purchase", one).await.result();
}

fn ids(leased: &Value) -> Vec<String> {
    let items = leased["items"].as_array().unwrap().iter();
    items.map(|item| item["delivery_id"].as_str().unwrap().to_owned()).collect()
}

async fn make_due(site: &Site) {
    sqlx::query("update deliveries set due_at = now()").execute(&site.database).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_delivery_is_leased_to_one() {
    let site = Site::start().await;
    bought(&site, 30).await;
    let servers = (0..10).map(|_| {
        let game = site.game().clone();
        tokio::spawn(async move { ids(&game.get("/game/deliveries?limit=3").await.ok()) })
    });
    let mut leased = vec![];
    for server in servers.collect::<Vec<_>>() {
        leased.extend(server.await.unwrap());
    }
    leased.sort_unstable();
    leased.dedup();
    assert_eq!(leased.len(), 30);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_hears_of_a_purchase_at_once() {
    let site = Site::start().await;
    let player = bought(&site, 0).await;
    let began = Instant::now();
    assert_eq!(site.game().get("/game/deliveries?wait=1").await.ok()["items"], json!([]));
    assert!(began.elapsed() >= Duration::from_secs(1));
    let game = site.game().clone();
    let waiting = tokio::spawn(async move { game.get("/game/deliveries?wait=30").await.ok() });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    buy(&player, 1).await;
    assert_eq!(ids(&waiting.await.unwrap()).len(), 1);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    site.finish().await;
}

/// Longer than any answer may take that is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn who_asks_to_wait_may_wait() {
    let site = Site::with(Options { command_wait: 1, ..Options::default() }).await;
    let nothing = site.game().get("/game/deliveries?limit=1&wait=18").await;
    assert_eq!((nothing.status, &nothing.body["items"]), (200, &json!([])));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_runs_out_is_given_to_another() {
    let site = Site::start().await;
    let player = bought(&site, 1).await;
    let first = ids(&site.game().get("/game/deliveries").await.ok());
    assert!(ids(&site.game().get("/game/deliveries").await.ok()).is_empty());
    make_due(&site).await;
    let again = site.game().get("/game/deliveries").await.ok();
    assert_eq!((ids(&again), &again["items"][0]["attempt"]), (first.clone(), &json!(2)));
    // Too late for its lease, and not for the truth.
    let given = json!({ "delivery_ids": first });
    assert_eq!(site.game().post("/game/deliveries/ack", given).await.result()["delivered"], json!(first));
    make_due(&site).await;
    assert!(ids(&site.game().get("/game/deliveries").await.ok()).is_empty());
    let line = player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    assert_eq!(line["status"], "delivered");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_game_refuses_comes_again_and_is_parked_in_the_end() {
    let site = Site::start().await;
    let player = bought(&site, 1).await;
    let admin = Caller { ..site.with_role("boss2", GivenRole::Admin).await };
    let line = || async { player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone() };
    let mut id = String::new();
    for attempt in 1..=3 {
        make_due(&site).await;
        id = ids(&site.game().get("/game/deliveries").await.ok()).remove(0);
        assert_eq!(line().await["status"], "leased");
        let late =
            json!({ "deliveries": [{ "delivery_id": id, "attempt": attempt + 1, "reason": "Too late." }] });
        assert_eq!(site.game().post("/game/deliveries/nack", late).await.result()["unchanged"], json!([id]));
        let refused = json!({ "deliveries": [{ "delivery_id": id, "reason": "The depot is full." }] });
        let answer = site.game().post("/game/deliveries/nack", refused.clone()).await.result();
        let list = if attempt < 3 { "again" } else { "parked" };
        assert_eq!(answer[list], json!([id]), "{answer}");
    }
    assert_eq!(
        (&line().await["status"], &line().await["last_error"]),
        (&json!("parked"), &json!("The depot is full."))
    );
    make_due(&site).await;
    assert!(ids(&site.game().get("/game/deliveries").await.ok()).is_empty());

    let parked = admin.get("/admin/deliveries?state=parked").await.ok();
    assert_eq!(parked["items"][0]["delivery_id"], id.as_str());
    let resend = json!({ "delivery_id": id, "reason": "There is room again." });
    player.post("/admin/deliveries/resend", resend.clone()).await.problem(403, "role_missing");
    admin.post("/admin/deliveries/resend", resend).await.result();
    let unknown = json!({ "delivery_id": uuid::Uuid::nil(), "reason": "None." });
    admin.post("/admin/deliveries/resend", unknown).await.problem(404, "delivery_not_found");
    assert_eq!(ids(&site.game().get("/game/deliveries").await.ok()), [id]);
    let happened: Vec<Value> =
        line().await["timeline"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert_eq!(
        json!(happened),
        json!(["ordered", "leased", "refused", "leased", "refused", "leased", "parked", "resent", "leased"])
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_never_acknowledged_is_parked_in_the_end() {
    let site = Site::start().await;
    let player = bought(&site, 1).await;
    for _ in 0..4 {
        make_due(&site).await;
        site.game().get("/game/deliveries").await.ok();
    }
    let history = player.get("/shop/purchases/1/10").await.ok();
    assert_eq!(history["items"][0]["lines"][0]["status"], "parked");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_game_servers_handle_deliveries() {
    let site = Site::start().await;
    let player = bought(&site, 1).await;
    let admin = site.with_role("boss3", GivenRole::Admin).await;
    for (caller, status, code) in
        [(site.nobody(), 401, "unauthorized"), (player, 403, "role_missing"), (admin, 403, "role_missing")]
    {
        caller.get("/game/deliveries").await.problem(status, code);
        let given = json!({ "delivery_ids": [uuid::Uuid::nil()] });
        caller.post("/game/deliveries/ack", given).await.problem(status, code);
        let refused = json!({ "deliveries": [{ "delivery_id": uuid::Uuid::nil(), "reason": "No." }] });
        caller.post("/game/deliveries/nack", refused).await.problem(status, code);
    }
    let unknown = json!({ "delivery_ids": [uuid::Uuid::nil()] });
    let answer = site.game().post("/game/deliveries/ack", unknown.clone()).await.result();
    assert_eq!(answer["unknown"], unknown["delivery_ids"]);
    for (path, name) in
        [("limit=0", "limit"), ("limit=101", "limit"), ("wait=31", "wait"), ("lease=4", "lease")]
    {
        site.game().get(&format!("/game/deliveries?{path}")).await.invalid(name);
    }
    site.game().post("/game/deliveries/ack", json!({ "delivery_ids": [] })).await.invalid("/delivery_ids");
    site.finish().await;
}
