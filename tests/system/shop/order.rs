//! The order of the categories, and of the offers of a category.

use serde_json::{Value, json};

use super::samples::{category_update, create_category, create_offer};
use crate::support::{client::Client, community::StaffRole, site::Site};

async fn ids(merchant: &Client, path: &str, field: &str) -> Vec<Value> {
    let list = merchant.get(path).await.ok();
    list["items"].as_array().unwrap().iter().map(|item| item[field].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn categories_are_sorted() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let (first, second) =
        (create_category(&merchant, "First", false).await, create_category(&merchant, "Second", true).await);
    let third = create_category(&merchant, "Third", false).await;
    let path = "/shop/category/reorder";
    let listed = async || ids(&merchant, "/shop/category/list", "category_id").await;
    let visible = async || ids(&site.visitor(), "/shop/category/list", "category_id").await;
    assert_eq!(visible().await, [first.clone(), third.clone()]);
    for wrong in [
        json!([first, second]),
        json!([first, second, third, 999]),
        json!([first, second, second]),
        json!([first, second, third, third]),
    ] {
        let body = json!({ "category_ids": wrong });
        merchant.post(path, body).await.problem(409, "categories_changed");
    }
    merchant.post(path, json!({ "category_ids": [] })).await.invalid("/category_ids");

    let order = json!([third, first, second]);
    let body = json!({ "category_ids": order });
    let sorted = merchant.post_with_key(path, &body, "once").await;
    assert_eq!(sorted.clone().result()["category_ids"], order);
    assert_eq!(merchant.post_with_key(path, &body, "once").await.result(), sorted.result());
    assert_eq!(listed().await, *order.as_array().unwrap());
    assert_eq!(visible().await, [third.clone(), first.clone()]);
    // An edit of the old version would bring back the old position.
    let edit = category_update(&second, 1, "Second");
    merchant.put("/shop/category/update", edit).await.problem(409, "category_changed");
    let list = merchant.get("/shop/category/list").await.ok();
    assert_eq!(list["items"][1]["version"], 2);
    // What stays at its place keeps its version.
    merchant.post(path, body).await.result();
    assert_eq!(merchant.get("/shop/category/list").await.ok(), list);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_of_a_category_are_sorted() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let potions = create_category(&merchant, "Potions", false).await;
    let others = create_category(&merchant, "Others", false).await;
    let (red, blue) =
        (create_offer(&merchant, &potions, "Red").await, create_offer(&merchant, &potions, "Blue").await);
    let (old, horse) =
        (create_offer(&merchant, &potions, "Old").await, create_offer(&merchant, &others, "Horse").await);
    merchant.delete(&format!("/shop/item/destroy/{old}")).await.result();
    let path = "/shop/item/reorder";
    let order = |category: &Value, offers: Value| json!({ "category_id": category, "offer_ids": offers });
    for wrong in [json!([blue]), json!([blue, red, horse]), json!([blue, red, old]), json!([blue, blue])] {
        merchant.post(path, order(&potions, wrong)).await.problem(409, "offers_changed");
    }
    merchant.post(path, order(&json!(999), json!([red]))).await.problem(404, "category_not_found");

    let body = order(&potions, json!([blue, red]));
    let sorted = merchant.post_with_key(path, &body, "once").await;
    assert_eq!(merchant.post_with_key(path, &body, "once").await.result(), sorted.result());
    let on_sale = format!("/shop/offers?category_id={potions}");
    assert_eq!(ids(&site.visitor(), &on_sale, "offer_id").await, [blue.clone(), red.clone()]);
    let offer = async |id: &Value| site.visitor().get(&format!("/shop/item/find{id}")).await.ok();
    assert_eq!((&offer(&blue).await["version"], &offer(&horse).await["version"]), (&json!(2), &json!(1)));

    let entry = admin.get("/admin/audit?action=shop.reorder_offers").await.ok()["items"][0].clone();
    assert_eq!(
        (&entry["account_id"], &entry["details"]["category_id"]),
        (&json!(merchant.account_id), &potions)
    );
    let moved = json!({ "field": format!("offer_{blue}.position"), "before": 5, "after": 10 });
    assert!(entry["changes"].as_array().unwrap().contains(&moved), "{entry}");
    site.finish().await;
}
