//! Buying with coins.

use serde_json::{Value, json};

use super::{
    payments::{coins, offer},
    support::{Caller, GivenRole, Site},
};

fn one(offer_id: i64, quantity: i64) -> Value {
    json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": offer_id, "quantity": quantity }] })
}

async fn give(site: &Site, player: &Caller, coins: i64) {
    let admin = site.with_role(&format!("giver{}", player.account_id), GivenRole::Admin).await;
    let body = json!({ "account_id": player.account_id, "coins": coins, "reason": "For the test." });
    admin.post("/admin/coins/adjust", body).await.result();
}

/// A player with a character and this many coins.
async fn rich(site: &Site, coins: i64) -> Caller {
    let player = site.player("mira").await;
    site.character(&player, "Mira Stormborn").await;
    give(site, &player, coins).await;
    player
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_at_once_with_coins_for_one_buy_one() {
    let site = Site::start().await;
    let player = rich(&site, 250).await;
    let horse = offer(&site, json!({ "name": "Horse" })).await;
    let buyers = (0..100).map(|_| {
        let player = player.clone();
        tokio::spawn(async move { player.post("/shop/purchase", one(horse, 1)).await })
    });
    let mut bought = 0;
    for buyer in buyers.collect::<Vec<_>>() {
        let answer = buyer.await.unwrap();
        match answer.status {
            201 => bought += 1,
            _ => drop(answer.problem(409, "not_enough_coins")),
        }
    }
    assert_eq!((bought, coins(&player).await), (1, 0));
    assert_eq!(player.get("/shop/purchases/1/10").await.ok()["total"], 1);
    assert_eq!(site.number("select count(*) from deliveries").await, 1);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_purchase_twice_is_one_purchase() {
    let site = Site::start().await;
    let player = rich(&site, 1000).await;
    let horse = offer(&site, json!({ "name": "Horse" })).await;
    let buy = || async {
        let request = player.request(reqwest::Method::POST, "/shop/purchase").json(&one(horse, 1));
        super::support::send(request.header("Idempotency-Key", "once")).await.result()
    };
    assert_eq!(buy().await, buy().await);
    assert_eq!(coins(&player).await, 750);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_lines_are_bought_or_none() {
    let site = Site::start().await;
    let player = rich(&site, 1000).await;
    let stranger = site.player("tom").await;
    site.character(&stranger, "Tom Ashwood").await;
    let horse = offer(&site, json!({ "name": "Horse", "price": 100, "stock": 3 })).await;
    let bear = offer(&site, json!({ "name": "Bear", "price": 100, "account_limit": 2 })).await;
    let hidden = offer(&site, json!({ "name": "Ghost", "hidden": true })).await;
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
    assert_eq!(coins(&player).await, 1000);
    // A gift, of two offers; what is named twice is added up.
    let both = json!([{ "offer_id": horse, "quantity": 1 }, { "offer_id": bear, "quantity": 2 },
                      { "offer_id": horse, "quantity": 2 }]);
    let bought = player.post("/shop/purchase", lines(both)).await.result();
    assert_eq!((&bought["coins"], &bought["balance"]), (&json!(500), &json!(500)));
    assert_eq!(bought["deliveries"].as_array().unwrap().len(), 2);
    player.post("/shop/purchase", one(horse, 1)).await.problem(409, "out_of_stock");
    player.post("/shop/purchase", one(bear, 1)).await.problem(409, "account_limit_reached");
    // The stock is seen by the next read.
    assert_eq!(player.get(&format!("/shop/item/find{horse}")).await.ok()["stock"], 0);
    let leased = site.game().get("/game/deliveries").await.ok();
    assert!(leased["items"].as_array().unwrap().iter().all(|item| item["character_name"] == "Tom Ashwood"));
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_purchases_are_pointed_at() {
    let site = Site::start().await;
    let player = rich(&site, 10).await;
    for (body, pointer) in [
        (json!({ "character_id": 1, "lines": [] }), "/lines"),
        (json!({ "character_id": 1, "lines": [{ "offer_id": 1, "quantity": 101 }] }), "/lines/0/quantity"),
        (json!({ "character_id": 1, "lines": [{ "offer_id": 1, "quantity": 0 }] }), "/lines/0/quantity"),
        (json!({ "lines": [{ "offer_id": 1, "quantity": 1 }] }), "/character_id"),
        (json!({ "character_id": 1, "price": 1, "lines": [{ "offer_id": 1, "quantity": 1 }] }), "/price"),
    ] {
        player.post("/shop/purchase", body).await.invalid(pointer);
    }
    let nobody = json!({ "character_name": "No One", "lines": [{ "offer_id": 1, "quantity": 1 }] });
    player.post("/shop/purchase", nobody.clone()).await.problem(404, "character_not_found");
    site.nobody().post("/shop/purchase", nobody).await.problem(401, "unauthorized");
    site.nobody().get("/shop/purchases/1/10").await.problem(401, "unauthorized");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_are_given_and_taken_with_a_reason() {
    let site = Site::start().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let body =
        |coins: i64| json!({ "account_id": player.account_id, "coins": coins, "reason": "A contest." });
    player.post("/admin/coins/adjust", body(5)).await.problem(403, "role_missing");
    admin.post("/admin/coins/adjust", body(0)).await.problem(409, "nothing_to_adjust");
    assert_eq!(admin.post("/admin/coins/adjust", body(100)).await.result()["balance"], 100);
    admin.post("/admin/coins/adjust", body(-101)).await.problem(409, "not_enough_coins");
    assert_eq!(admin.post("/admin/coins/adjust", body(-100)).await.result()["balance"], 0);
    let nobody = json!({ "account_id": 999, "coins": 1, "reason": "Nobody." });
    admin.post("/admin/coins/adjust", nobody).await.problem(404, "account_not_found");
    let deeds = admin.get("/admin/audit").await.ok();
    let deed = &deeds["items"][0];
    assert_eq!((&deed["action"], &deed["account_id"]), (&json!("coins.adjust"), &json!(admin.account_id)));
    assert_eq!(deed["details"]["coins"], -100);
    // What an operator did at the command line is there too, without an account.
    let grant =
        deeds["items"].as_array().unwrap().iter().find(|deed| deed["action"] == "account.grant").unwrap();
    assert_eq!((&grant["account_id"], &grant["details"]["role"]), (&Value::Null, &json!("admin")));
    site.books_agree().await;
    site.finish().await;
}
