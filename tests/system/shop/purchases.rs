//! Purchases with coins.

use futures_util::future::join_all;
use guildhall_common::platform::db;
use serde_json::{Value, json};

use crate::support::{
    client::Client, community::StaffRole, operation::wait_until_completed, payment::coin_balance, site::Site,
    wait::wait_until,
};

fn purchase(offer_id: i64, quantity: i64) -> Value {
    json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": offer_id, "quantity": quantity }] })
}

/// A player with a character and this many coins.
async fn player_with_coins(site: &Site, coins: i64) -> Client {
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    site.give_coins(&player, coins).await;
    player
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_concurrent_purchases_spend_each_coin_once() {
    let site = Site::start().await;
    let player = player_with_coins(&site, 250).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let responses = join_all((0..100).map(|_| player.post("/shop/purchase", purchase(horse, 1)))).await;
    let mut bought = 0;
    for response in responses {
        match response.status {
            201 => bought += 1,
            _ => drop(response.problem(409, "not_enough_coins")),
        }
    }
    assert_eq!((bought, coin_balance(&player).await), (1, 0));
    assert_eq!(player.get("/shop/purchases/1/10").await.ok()["total"], 1);
    assert_eq!(site.count("select count(*) from deliveries").await, 1);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_that_waits_during_the_first_credit_returns_the_new_balance() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let account_id = player.account_id;

    let mut lock = db::begin(&site.database).await.unwrap();
    sqlx::query("select from shop_offers for update").execute(&mut *lock).await.unwrap();
    let buy = tokio::spawn(async move { player.post("/shop/purchase", purchase(horse, 1)).await.result() });
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'";
    wait_until("the purchase waits for the offer", async || site.count(waiting).await > 0).await;
    let gift = json!({ "account_id": account_id, "coins": 1000, "reason": "For the test." });
    admin.post("/admin/coins/adjust", gift).await.result();
    lock.rollback().await.unwrap();

    assert_eq!(buy.await.unwrap()["balance"], 750);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_purchase_with_the_same_key_is_one_purchase() {
    let site = Site::start().await;
    let player = player_with_coins(&site, 1000).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let buy = async || player.post_with_key("/shop/purchase", &purchase(horse, 1), "once").await.result();
    assert_eq!(buy().await, buy().await);
    assert_eq!(coin_balance(&player).await, 750);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_buys_all_lines_or_none() {
    let site = Site::start().await;
    let player = player_with_coins(&site, 1000).await;
    let recipient = site.player("tom").await;
    site.character(&recipient, "Tom Ashwood").await;
    let horse = site.offer(json!({ "name": "Horse", "price": 100, "stock": 3 })).await;
    let bear = site.offer(json!({ "name": "Bear", "price": 100, "account_limit": 2 })).await;
    let hidden = site.offer(json!({ "name": "Ghost", "hidden": true })).await;
    let lines = |lines: Value| json!({ "character_name": "Tom Ashwood", "lines": lines });
    for (wanted, status, code) in [
        (
            json!([{ "offer_id": horse, "quantity": 1 }, { "offer_id": bear, "quantity": 3 }]),
            409,
            "account_limit_reached",
        ),
        (
            json!([{ "offer_id": bear, "quantity": 1 }, { "offer_id": horse, "quantity": 4 }]),
            409,
            "out_of_stock",
        ),
        (
            json!([{ "offer_id": bear, "quantity": 1 }, { "offer_id": hidden, "quantity": 1 }]),
            404,
            "offer_not_found",
        ),
        (
            json!([{ "offer_id": bear, "quantity": 1 }, { "offer_id": 999, "quantity": 1 }]),
            404,
            "offer_not_found",
        ),
    ] {
        player.post("/shop/purchase", lines(wanted)).await.problem(status, code);
    }
    assert_eq!(coin_balance(&player).await, 1000);
    // A purchase for another player's character. Two lines of one offer are added up.
    let both = json!([{ "offer_id": horse, "quantity": 1 }, { "offer_id": bear, "quantity": 2 },
                      { "offer_id": horse, "quantity": 2 }]);
    let bought = player.post("/shop/purchase", lines(both)).await.result();
    assert_eq!((&bought["coins"], &bought["balance"]), (&json!(500), &json!(500)));
    assert_eq!(bought["deliveries"].as_array().unwrap().len(), 2);
    player.post("/shop/purchase", purchase(horse, 1)).await.problem(409, "out_of_stock");
    player.post("/shop/purchase", purchase(bear, 1)).await.problem(409, "account_limit_reached");
    // The next read has the new stock.
    assert_eq!(player.get(&format!("/shop/item/find{horse}")).await.ok()["stock"], 0);
    let leased = site.game_server().get("/game/deliveries").await.ok();
    assert!(leased["items"].as_array().unwrap().iter().all(|item| item["character_name"] == "Tom Ashwood"));
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The same statements apply the purchases of several accounts.
#[tokio::test(flavor = "multi_thread")]
async fn purchases_of_one_batch_have_outcomes_of_their_own() {
    let mut site = Site::start().await;
    let mut players = vec![];
    for (name, coins) in [("Mira", 1000), ("Tom", 1000), ("Ann", 1000), ("Poor", 0)] {
        let player = site.player(&name.to_lowercase()).await;
        site.character(&player, name).await;
        if coins > 0 {
            site.give_coins(&player, coins).await;
        }
        players.push(player);
    }
    let [mira, tom, ann, poor] = &players[..] else { unreachable!() };
    let horse = site.offer(json!({ "name": "Horse", "price": 100, "stock": 3 })).await;
    let bear = site.offer(json!({ "name": "Bear", "price": 10, "account_limit": 2 })).await;
    site.stop_workers().await;
    let purchases = [
        (mira, "Mira", json!([{ "offer_id": bear, "quantity": 2 }, { "offer_id": horse, "quantity": 1 }])),
        (poor, "Poor", json!([{ "offer_id": horse, "quantity": 1 }])),
        (tom, "Mira", json!([{ "offer_id": bear, "quantity": 1 }, { "offer_id": horse, "quantity": 1 }])),
        (ann, "Ann", json!([{ "offer_id": bear, "quantity": 1 }, { "offer_id": horse, "quantity": 2 }])),
        (ann, "No One", json!([{ "offer_id": bear, "quantity": 1 }])),
        (ann, "Ann", json!([{ "offer_id": horse, "quantity": 1 }])),
        (mira, "Tom", json!([{ "offer_id": bear, "quantity": 1 }])),
        (tom, "Tom", json!([{ "offer_id": horse, "quantity": 1 }])),
    ];
    let mut accepted = vec![];
    for (player, character, lines) in &purchases {
        let body = json!({ "character_name": character, "lines": lines });
        accepted.push(player.post_with_preference("/shop/purchase", &body, "respond-async").await);
    }
    site.start_workers();
    let results = [
        Ok(json!([120, 880])),
        Err("not_enough_coins"),
        Ok(json!([110, 890])),
        Err("out_of_stock"),
        Err("character_not_found"),
        Ok(json!([100, 900])),
        Err("account_limit_reached"),
        Err("out_of_stock"),
    ];
    for (((player, character, _), accepted), result) in purchases.iter().zip(accepted).zip(results) {
        let state = wait_until_completed(player, &accepted.body["operation_id"]).await;
        match result {
            Ok(coins) => {
                let bought = &state["result"];
                assert_eq!(json!([bought["coins"], bought["balance"]]), coins, "{state}");
                assert_eq!(bought["character_name"], *character, "{state}");
            }
            Err(code) => assert_eq!(state["problem"]["code"], code, "{state}"),
        }
    }
    assert_eq!(site.count("select count(*) from purchases").await, 3);
    let delivered = "select count(*) from purchases join purchase_lines using (purchase_id, account_id)
        join deliveries using (purchase_id, offer_id, character_id, quantity)";
    assert_eq!(site.count(delivered).await, 5);
    assert_eq!(site.visitor().get(&format!("/shop/item/find{horse}")).await.ok()["stock"], 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_purchase_names_the_field() {
    let site = Site::start().await;
    let player = player_with_coins(&site, 10).await;
    for (body, pointer) in [
        (json!({ "character_id": 1, "lines": [] }), "/lines"),
        (json!({ "character_id": 1, "lines": [{ "offer_id": 1, "quantity": 101 }] }), "/lines/0/quantity"),
        (json!({ "character_id": 1, "lines": [{ "offer_id": 1, "quantity": 0 }] }), "/lines/0/quantity"),
        (json!({ "lines": [{ "offer_id": 1, "quantity": 1 }] }), "/character_id"),
        (json!({ "character_id": 1, "price": 1, "lines": [{ "offer_id": 1, "quantity": 1 }] }), "/price"),
    ] {
        player.post("/shop/purchase", body).await.invalid(pointer);
    }
    let visitor = json!({ "character_name": "No One", "lines": [{ "offer_id": 1, "quantity": 1 }] });
    player.post("/shop/purchase", visitor.clone()).await.problem(404, "character_not_found");
    site.visitor().post("/shop/purchase", visitor).await.problem(401, "unauthorized");
    site.visitor().get("/shop/purchases/1/10").await.problem(401, "unauthorized");
    site.finish().await;
}
