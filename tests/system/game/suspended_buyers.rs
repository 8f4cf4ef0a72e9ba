//! Deliveries that wait while the account of their buyer is suspended.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::deliveries::{LEASE, delivery_ids, end_leases, player_with_purchases};
use crate::support::{client::Client, community::StaffRole::Admin, site::Site, wait::with_hang_limit};

async fn suspend(boss: &Client, account_id: i64) {
    let body = json!({ "account_id": account_id, "reason": "The card was stolen." });
    boss.post("/admin/accounts/suspend", body).await.result();
}

async fn lift(boss: &Client, account_id: i64) {
    let body = json!({ "account_id": account_id, "reason": "The card was their own." });
    boss.post("/admin/accounts/lift-suspension", body).await.result();
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_a_suspended_buyer_wait_until_the_suspension_ends() {
    let site = Site::start().await;
    let mira = player_with_purchases(&site, 2).await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom Ashwood").await;
    site.give_coins(&tom, 100).await;
    let gift = async |from: &Client, to: &str| {
        let gift = json!({ "character_name": to, "lines": [{ "offer_id": 1, "quantity": 1 }] });
        from.post("/shop/purchase", gift).await.result()["deliveries"][0]["delivery_id"].clone()
    };
    gift(&mira, "Tom Ashwood").await;
    let of_tom = gift(&tom, "Mira Stormborn").await;
    let boss = site.player_with_role("boss2", Admin).await;
    suspend(&boss, mira.account_id).await;
    for name in ["Mira Stormborn", "Tom Ashwood"] {
        site.report_presence(name, 20, true).await;
    }

    // The buyer counts, and not the owner of the character.
    assert_eq!(json!(delivery_ids(&site.game_server().get(LEASE).await.ok())), json!([of_tom]));
    // The api finds a delivery due, and the worker decides which ones it leases.
    end_leases(&site).await;
    let online = format!("{LEASE}&online=true");
    assert_eq!(json!(delivery_ids(&site.game_server().get(&online).await.ok())), json!([of_tom]));
    for path in [LEASE, &online] {
        assert!(delivery_ids(&site.game_server().get(path).await.ok()).is_empty(), "{path}");
    }
    let list = boss.get("/admin/deliveries?status=open").await.ok();
    let shown: Vec<_> =
        list["items"].as_array().unwrap().iter().map(|item| &item["buyer_suspended"]).collect();
    assert_eq!(shown, [&json!(false), &json!(true), &json!(true), &json!(true)], "{list}");

    lift(&boss, mira.account_id).await;
    let list = boss.get("/admin/deliveries?status=open").await.ok();
    assert!(list["items"].as_array().unwrap().iter().all(|item| item["buyer_suspended"] == false), "{list}");
    assert_eq!(delivery_ids(&site.game_server().get(&online).await.ok()).len(), 3);
    site.finish().await;
}

/// The upper limit is the time of the whole long poll, as for a new purchase.
#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_game_server_receives_deliveries_when_a_suspension_ends() {
    let site = Site::start().await;
    let mira = player_with_purchases(&site, 2).await;
    let boss = site.player_with_role("boss2", Admin).await;
    suspend(&boss, mira.account_id).await;
    let (_connection, mut events) = site.consume_events("delivery.ready").await;
    let lifted = leased_after(&site, lift(&boss, mira.account_id)).await;
    assert_eq!(lifted.len(), 1);
    let mut ready = vec![];
    for _ in 0..2 {
        let event = with_hang_limit("an event arrives", events.next()).await.unwrap().unwrap();
        let event: Value = serde_json::from_slice(&event.data).unwrap();
        ready.push(event["payload"]["delivery_id"].as_str().unwrap().to_owned());
    }
    assert!(ready.contains(&lifted[0]), "{ready:?}");

    // No event announces that a suspension expires.
    suspend(&boss, mira.account_id).await;
    let expire =
        site.execute("update accounts set suspended_until = now() where suspended_until is not null");
    let expired = leased_after(&site, expire).await;
    assert!(expired.len() == 1 && expired != lifted && ready.contains(&expired[0]), "{expired:?}");
    site.finish().await;
}

/// What a waiting game server leases when the suspension of the buyer ends.
async fn leased_after(site: &Site, end: impl Future<Output = ()>) -> Vec<String> {
    let started = Instant::now();
    let game_server = site.game_server().clone();
    let long_poll = "/game/deliveries?wait=30&limit=1&lease=3600";
    let waiting = tokio::spawn(async move { game_server.get(long_poll).await.ok() });
    // When a shorter poll has ended, the longer one is waiting.
    assert!(delivery_ids(&site.game_server().get("/game/deliveries?wait=1").await.ok()).is_empty());
    end.await;
    let leased = delivery_ids(&waiting.await.unwrap());
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    leased
}
