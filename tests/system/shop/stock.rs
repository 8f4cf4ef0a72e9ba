//! The stock of offers.

use serde_json::{Value, json};

use super::samples::{create_category, create_offer, offer_update, with_field};
use crate::support::{community::StaffRole, site::Site};

/// A merchant corrects a text while pieces are sold.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_does_not_restore_sold_pieces() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", false).await;
    let red = create_offer(&merchant, &potions, "Red").await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira").await;
    site.give_coins(&mira, 1000).await;
    let purchase = |price: i64| {
        let line = json!({ "offer_id": red, "quantity": 1, "expected_price": price });
        json!({ "character_name": "Mira", "lines": [line] })
    };
    mira.post("/shop/purchase", purchase(25)).await.result();
    merchant.put("/shop/item/update", offer_update(&red, 1, &potions, "Red potion")).await.result();
    let find = async || site.visitor().get(&format!("/shop/item/find{red}")).await.ok();
    assert_eq!(find().await["stock"], 2);

    let dearer = with_field(offer_update(&red, 2, &potions, "Red potion"), "price", &json!(30));
    merchant.put("/shop/item/update", dearer).await.result();
    mira.post("/shop/purchase", purchase(25)).await.problem(409, "price_changed");
    mira.post("/shop/purchase", purchase(30)).await.result();
    assert_eq!(find().await["stock"], 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stock_changes_only_as_expected() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", false).await;
    let red = create_offer(&merchant, &potions, "Red").await;
    let change = async |mut body: Value| {
        body["offer_id"] = red.clone();
        merchant.post("/shop/item/change-stock", body).await
    };
    assert_eq!(change(json!({ "change": 7 })).await.result(), json!({ "offer_id": red, "stock": 10 }));
    assert_eq!(change(json!({ "change": -4 })).await.result()["stock"], 6);
    change(json!({ "change": -7 })).await.problem(409, "stock_out_of_range");
    change(json!({ "set": 20, "expected_stock": 5 })).await.problem(409, "stock_changed");
    change(json!({ "set": 20, "expected_unlimited": true })).await.problem(409, "stock_changed");
    assert_eq!(change(json!({ "set": 20, "expected_stock": 6 })).await.result()["stock"], 20);
    let unlimited = change(json!({ "unlimited": true, "expected_stock": 20 })).await.result();
    assert_eq!(unlimited, json!({ "offer_id": red }));
    change(json!({ "change": 1 })).await.problem(409, "stock_unlimited");
    assert_eq!(change(json!({ "set": 3, "expected_unlimited": true })).await.result()["stock"], 3);
    for (body, pointer) in [
        (json!({}), "/change"),
        (json!({ "change": 1, "set": 2, "expected_stock": 3 }), "/change"),
        (json!({ "set": 2 }), "/expected_stock"),
        (json!({ "unlimited": true, "expected_stock": 3, "expected_unlimited": true }), "/expected_stock"),
    ] {
        change(body).await.invalid(pointer);
    }
    // Neither a sale nor a change of the stock is an edit.
    assert_eq!(site.visitor().get(&format!("/shop/item/find{red}")).await.ok()["version"], 1);
    merchant
        .post("/shop/item/change-stock", json!({ "offer_id": 999, "change": 1 }))
        .await
        .problem(404, "offer_not_found");
    site.finish().await;
}
