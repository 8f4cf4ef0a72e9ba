//! Hidden categories and offers, and the people who may change the catalogue.

use serde_json::json;

use super::samples::{
    category, category_update, create_category, create_offer, offer, offer_update, with_field,
};
use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn only_merchants_see_hidden_categories_and_offers() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let player = site.player("player").await;
    let open = create_category(&merchant, "Open", false).await;
    let secret = create_category(&merchant, "Secret", true).await;
    let seen = create_offer(&merchant, &open, "Seen").await;
    let inside = create_offer(&merchant, &secret, "Inside").await;
    let hidden = with_field(offer(&open, "Hidden"), "hidden", &json!(true));
    let hidden = merchant.post("/shop/item/create", hidden).await.result()["offer_id"].clone();

    for visitor in [site.visitor(), player] {
        visitor.get(&format!("/shop/category/find{secret}")).await.problem(404, "category_not_found");
        visitor.get(&format!("/shop/item/find{inside}")).await.problem(404, "offer_not_found");
        visitor.get(&format!("/shop/item/find{hidden}")).await.problem(404, "offer_not_found");
        assert_eq!(visitor.get("/shop/category/list").await.ok()["total"], 1);
        for list in [
            "/shop/item/list".to_owned(),
            "/shop/offers".to_owned(),
            format!("/shop/offers?category_id={open}"),
        ] {
            let list = visitor.get(&list).await.ok();
            assert_eq!((&list["total"], &list["items"][0]["offer_id"]), (&json!(1), &seen));
        }
        assert_eq!(visitor.get(&format!("/shop/offers?category_id={secret}")).await.ok()["total"], 0);
    }
    merchant.get(&format!("/shop/category/find{secret}")).await.ok();
    merchant.get(&format!("/shop/item/find{inside}")).await.ok();
    assert_eq!(merchant.get("/shop/category/list").await.ok()["total"], 2);
    assert_eq!(merchant.get("/shop/item/list?limit=2").await.ok()["pages"], 2);
    assert_eq!(merchant.get("/shop/offers").await.ok()["total"], 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_merchants_change_the_catalogue() {
    let site = Site::start().await;
    let (player, editor) =
        (site.player("player").await, site.player_with_role("editor", StaffRole::Editor).await);
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let potions = create_category(&admin, "Potions", false).await;
    let red = create_offer(&admin, &potions, "Red").await;
    for (client, status, code) in
        [(site.visitor(), 401, "unauthorized"), (player, 403, "role_missing"), (editor, 403, "role_missing")]
    {
        client.post("/shop/category/create", category("X", false)).await.problem(status, code);
        let update = category_update(&potions, 1, "X");
        client.put("/shop/category/update", update).await.problem(status, code);
        client.delete(&format!("/shop/category/destroy/{potions}")).await.problem(status, code);
        client.post("/shop/item/create", offer(&potions, "X")).await.problem(status, code);
        let update = offer_update(&red, 1, &potions, "X");
        client.put("/shop/item/update", update).await.problem(status, code);
        let stock = json!({ "offer_id": red, "change": 1 });
        client.post("/shop/item/change-stock", stock).await.problem(status, code);
        client.delete(&format!("/shop/item/destroy/{red}")).await.problem(status, code);
    }
    site.finish().await;
}
