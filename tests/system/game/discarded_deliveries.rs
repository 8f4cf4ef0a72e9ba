//! Deliveries that an administrator gives up.

use chrono::Utc;
use serde_json::{Value, json};

use super::deliveries::{LEASE, delivery_ids, end_leases, player_with_purchases};
use crate::support::{community::StaffRole, payment::coin_balance, service::audit_texts, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_discarded_delivery_is_not_delivered_unless_it_is_resent() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 2).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let ids = delivery_ids(&site.game_server().get(LEASE).await.ok());
    let discard = |id: &str| json!({ "delivery_id": id, "reason": "The coins are back." });
    player.post("/admin/deliveries/discard", discard(&ids[0])).await.problem(403, "role_missing");
    let unknown = discard(&uuid::Uuid::nil().to_string());
    admin.post("/admin/deliveries/discard", unknown).await.problem(404, "delivery_not_found");

    // One that is open, and one that is parked and causes an alarm.
    site.execute(&format!("update deliveries set parked_at = now() where delivery_id = '{}'", ids[1])).await;
    let parked = async || admin.get("/admin/health").await.ok()["counts"]["parked_deliveries"].clone();
    assert_eq!(parked().await, 1);
    for id in &ids {
        let outcome = admin.post("/admin/deliveries/discard", discard(id)).await.result();
        assert_eq!(outcome, json!({ "delivery_id": id, "returned_coins": 0 }));
        admin.post("/admin/deliveries/discard", discard(id)).await.problem(409, "delivery_ended");
    }
    assert_eq!(parked().await, 0);
    let list = admin.get("/admin/deliveries?status=discarded").await.ok();
    assert_eq!((&list["total"], &list["items"][0]["status"]), (&json!(2), &json!("discarded")));
    let all = admin.get("/admin/deliveries").await.ok();
    assert_eq!(all["items"].as_array().unwrap().len(), 2);
    let line = async || player.get("/shop/purchases/1/10").await.ok()["items"][1]["lines"][0].clone();
    let shown = line().await;
    let event = &shown["timeline"][2];
    assert_eq!(
        (&shown["status"], &event["what"], &event["detail"]),
        (&json!("discarded"), &json!("discarded"), &json!("The coins are back."))
    );
    let entries = admin.get("/admin/audit?action=delivery.discard").await.ok();
    assert_eq!(entries["items"][1]["details"]["delivery_id"], ids[0].as_str());

    end_leases(&site).await;
    assert!(delivery_ids(&site.game_server().get(LEASE).await.ok()).is_empty());
    let refused = json!({ "deliveries": [{ "delivery_id": ids[0], "reason": "The depot is full." }] });
    let outcome = site.game_server().post("/game/deliveries/nack", refused).await.result();
    assert_eq!(outcome["unchanged"], json!([ids[0]]));
    for state in ["parked", "delivered"] {
        let many = json!({
            "state": state, "since": "2020-01-01T00:00:00Z", "until": Utc::now().to_rfc3339(), "reason": "All."
        });
        assert_eq!(admin.post("/admin/deliveries/resend-many", many).await.result()["resent"], 0);
    }

    // A game server that had leased it may have delivered it.
    let acknowledged = json!({ "delivery_ids": [ids[1]] });
    let outcome = site.game_server().post("/game/deliveries/ack", acknowledged).await.result();
    assert_eq!(outcome["delivered"], json!([ids[1]]));
    admin.post("/admin/deliveries/discard", discard(&ids[1])).await.problem(409, "delivery_ended");

    let resend = json!({ "delivery_id": ids[0], "reason": "It was the wrong one." });
    admin.post("/admin/deliveries/resend", resend).await.result();
    let resent = line().await;
    assert_eq!(resent["status"], "waiting");
    // The reason is for the staff.
    assert_eq!(
        resent["timeline"][3],
        json!({ "what": "resent", "happened_at": resent["timeline"][3]["happened_at"] })
    );
    assert_eq!(delivery_ids(&site.game_server().get(LEASE).await.ok()), ids[..1]);

    let reasons = "select count(*) from delivery_events where what = 'discarded' and detail is not null";
    let entry = "select min(audit_id) from audit_log where action = 'delivery.discard'";
    audit_texts::erase_entries(&site.workers, &[site.count(entry).await]).await.unwrap();
    assert_eq!(site.count(reasons).await, 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coins_of_a_discarded_delivery_are_returned_once() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    site.character(&player, "Mira").await;
    site.give_coins(&player, 100).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 30, "stock": 2, "account_limit": 2 })).await;
    let purchase = json!({ "character_name": "Mira", "lines": [{ "offer_id": horse, "quantity": 2 }] });
    let bought = player.post("/shop/purchase", purchase.clone()).await.result();
    assert_eq!(coin_balance(&player).await, 40);
    player.post("/shop/purchase", purchase.clone()).await.problem(409, "account_limit_reached");
    let purchases = format!("/admin/deliveries?purchase_id={}", bought["purchase_id"]);
    let delivery = admin.get(&purchases).await.ok()["items"][0].clone();
    assert_eq!((&delivery["coins"], &delivery["returned"]), (&json!(60), &json!(false)));
    // The price of today does not matter.
    site.execute("update shop_offers set price = 7").await;

    let discard = json!({ "delivery_id": delivery["delivery_id"], "reason": "The game has lost it.", "return_coins": true });
    // A game server may be giving the items at this moment.
    site.game_server().get(LEASE).await.ok();
    admin.post("/admin/deliveries/discard", discard.clone()).await.problem(409, "delivery_leased");
    end_leases(&site).await;
    let outcome = admin.post("/admin/deliveries/discard", discard.clone()).await.result();
    assert_eq!(outcome["returned_coins"], 60);
    admin.post("/admin/deliveries/discard", discard).await.problem(409, "delivery_ended");
    assert_eq!(coin_balance(&player).await, 100);
    assert_eq!(admin.get(&purchases).await.ok()["items"][0]["returned"], true);
    let line = player.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    assert_eq!((&line["status"], &line["returned"]), (&json!("discarded"), &json!(true)));
    // Nobody gets coins and goods.
    let resend = json!({ "delivery_id": delivery["delivery_id"], "reason": "Give it nevertheless." });
    admin.post("/admin/deliveries/resend", resend).await.problem(409, "coins_returned");

    // The pieces are on sale again, and the account may buy them.
    let offers = site.visitor().get("/shop/offers").await.ok();
    assert_eq!(offers["items"][0]["stock"], 2, "{offers}");
    player.post("/shop/purchase", purchase).await.result();
    assert_eq!(coin_balance(&player).await, 86);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resent_delivery_takes_its_pieces_again() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    site.character(&player, "Mira").await;
    site.give_coins(&player, 100).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 30, "stock": 1 })).await;
    let purchase = json!({ "character_name": "Mira", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    player.post("/shop/purchase", purchase.clone()).await.result();
    let delivery = admin.get("/admin/deliveries").await.ok()["items"][0]["delivery_id"].clone();
    let body = json!({ "delivery_id": delivery, "reason": "A mistake." });
    let discard = async || admin.post("/admin/deliveries/discard", body.clone()).await.result();
    for _ in 0..2 {
        discard().await;
        admin.post("/admin/deliveries/resend", body.clone()).await.result();
        player.post("/shop/purchase", purchase.clone()).await.problem(409, "out_of_stock");
    }
    // Another one has bought the piece.
    discard().await;
    player.post("/shop/purchase", purchase.clone()).await.result();
    admin.post("/admin/deliveries/resend", body.clone()).await.problem(409, "out_of_stock");

    // A late acknowledgement takes a piece, too.
    site.execute("update shop_offers set stock = 1").await;
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": [delivery] })).await.result();
    player.post("/shop/purchase", purchase.clone()).await.problem(409, "out_of_stock");
    site.finish().await;
}

/// A piece that was bought while the stock was unlimited never comes from a stock.
#[tokio::test(flavor = "multi_thread")]
async fn a_piece_of_an_unlimited_offer_is_not_added_to_a_later_stock() {
    let site = Site::start().await;
    let player = player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let ids = delivery_ids(&site.game_server().get(LEASE).await.ok());
    let limit = json!({ "offer_id": 1, "set": 5, "expected_unlimited": true });
    merchant.post("/shop/item/change-stock", limit).await.result();
    let stock = async || site.visitor().get("/shop/offers").await.ok()["items"][0]["stock"].clone();
    let body = json!({ "delivery_id": ids[0], "reason": "A mistake." });
    admin.post("/admin/deliveries/discard", body.clone()).await.result();
    assert_eq!(stock().await, 5);
    admin.post("/admin/deliveries/resend", body.clone()).await.result();
    assert_eq!(stock().await, 5);
    admin.post("/admin/deliveries/discard", body.clone()).await.result();
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": ids })).await.result();
    assert_eq!(stock().await, 5);

    // Another one of the same offer is taken from the stock.
    let one = json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": 1, "quantity": 1 }] });
    let bought = player.post("/shop/purchase", one).await.result()["deliveries"][0]["delivery_id"].clone();
    assert_eq!(stock().await, 4);
    let discard = json!({ "delivery_id": bought, "reason": "A mistake." });
    admin.post("/admin/deliveries/discard", discard).await.result();
    assert_eq!(stock().await, 5);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_of_a_deleted_character_can_be_discarded() {
    let site = Site::start().await;
    player_with_purchases(&site, 1).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    site.execute("update deliveries set parked_at = now()").await;
    site.execute("update characters set deleted_at = now(), deletion_due_at = now(), confirmed_at = null")
        .await;
    let parked = admin.get("/admin/deliveries?status=parked").await.ok()["items"][0]["delivery_id"].clone();
    let body = json!({ "delivery_id": parked, "reason": "The character is gone." });
    admin.post("/admin/deliveries/resend", body.clone()).await.problem(404, "character_not_found");
    admin.post("/admin/deliveries/discard", body).await.result();
    assert_eq!(admin.get("/admin/deliveries?status=parked").await.ok()["items"], Value::Array(vec![]));
    site.finish().await;
}
