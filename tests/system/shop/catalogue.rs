//! Categories and offers: created, found, updated, deleted.

use http::Method;
use serde_json::{Value, json};

use super::samples::{
    category, category_update, create_category, create_offer, offer, offer_update, with_field,
};
use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_category_is_created_updated_and_deleted() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let created = merchant.post("/shop/category/create", category("Potions", false)).await;
    assert_eq!(created.status, 201);
    let potions = created.result()["category_id"].clone();
    let mounts = create_category(&merchant, "Mounts", false).await;
    assert_ne!(potions, mounts);
    merchant
        .post("/shop/category/create", category("POTIONS", false))
        .await
        .problem(409, "category_name_taken");

    for path in [format!("/shop/category/find{potions}"), format!("/shop/category/find/{potions}")] {
        assert_eq!(site.visitor().get(&path).await.ok()["name"], "Potions");
    }
    assert_eq!(site.visitor().get(&format!("/shop/category/find{mounts}")).await.ok()["name"], "Mounts");
    site.visitor().get("/shop/category/find999").await.problem(404, "category_not_found");
    site.visitor().get("/shop/category/findx").await.invalid("id");
    site.visitor().get("/shop/category/find/0").await.invalid("id");

    let update = |id: &Value, name: &str| category_update(id, 1, name);
    merchant
        .put("/shop/category/update", update(&mounts, "potions"))
        .await
        .problem(409, "category_name_taken");
    merchant.put("/shop/category/update", update(&json!(999), "X")).await.problem(404, "category_not_found");
    let saved = merchant.put("/shop/category/update", update(&mounts, "Steeds")).await.result();
    assert_eq!(saved["version"], 2);
    merchant.put("/shop/category/update", update(&mounts, "Late")).await.problem(409, "category_changed");
    merchant
        .put("/shop/category/update", with_field(category("X", false), "category_id", &mounts))
        .await
        .invalid("/expected_version");
    let list = site.visitor().get("/shop/category/list").await.ok();
    assert_eq!((&list["items"][0]["name"], &list["items"][1]["name"]), (&json!("Potions"), &json!("Steeds")));

    let red = create_offer(&merchant, &potions, "Red").await;
    let destroy = format!("/shop/category/destroy/{potions}");
    merchant.delete(&destroy).await.problem(409, "category_not_empty");
    merchant.delete(&format!("/shop/item/destroy/{red}")).await.result();
    merchant.delete(&destroy).await.result();
    merchant.delete(&destroy).await.problem(404, "category_not_found");
    site.visitor().get(&format!("/shop/category/find{potions}")).await.problem(404, "category_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_is_created_updated_and_archived() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", false).await;
    let others = create_category(&merchant, "Others", false).await;
    let created = merchant.post("/shop/item/create", offer(&potions, "Red")).await;
    assert_eq!(created.status, 201);
    let red = created.result()["offer_id"].clone();
    let blue = create_offer(&merchant, &potions, "Blue").await;
    merchant.post("/shop/item/create", offer(&potions, "RED")).await.problem(409, "offer_name_taken");
    merchant.post("/shop/item/create", offer(&json!(999), "Red")).await.problem(404, "category_not_found");
    create_offer(&merchant, &others, "Red").await;

    for path in [format!("/shop/item/find{red}"), format!("/shop/item/find/{red}")] {
        let found = site.visitor().get(&path).await.ok();
        assert_eq!(
            (&found["name"], &found["price"], &found["stock"]),
            (&json!("Red"), &json!(25), &json!(3))
        );
        assert_eq!(found["grants"], json!([{ "kind": "item", "id": "266", "count": 100 }]));
        assert_eq!(
            (&found["category_name"], &found["picture"]),
            (&json!("Potions"), &json!("/pictures/red.png"))
        );
    }
    assert_eq!(site.visitor().get(&format!("/shop/item/find{blue}")).await.ok()["name"], "Blue");

    let update = |id: &Value, name: &str| offer_update(id, 1, &potions, name);
    merchant.put("/shop/item/update", update(&blue, "red")).await.problem(409, "offer_name_taken");
    merchant.put("/shop/item/update", update(&json!(999), "X")).await.problem(404, "offer_not_found");
    let nowhere = with_field(update(&blue, "X"), "category_id", &json!(999));
    merchant.put("/shop/item/update", nowhere).await.problem(404, "category_not_found");
    let dearer = with_field(update(&blue, "Green"), "price", &json!(30));
    assert_eq!(merchant.put("/shop/item/update", dearer.clone()).await.result()["version"], 2);
    merchant.put("/shop/item/update", dearer).await.problem(409, "offer_changed");
    let mut without_version = update(&blue, "Green");
    without_version.as_object_mut().unwrap().remove("expected_version");
    merchant.put("/shop/item/update", without_version).await.invalid("/expected_version");
    let with_stock = with_field(update(&blue, "Green"), "stock", &json!(10));
    merchant.put("/shop/item/update", with_stock).await.invalid("/stock");
    let found = site.visitor().get(&format!("/shop/item/find{blue}")).await.ok();
    assert_eq!(
        (&found["name"], &found["price"], &found["stock"], &found["version"]),
        (&json!("Green"), &json!(30), &json!(3), &json!(2))
    );

    let destroy = format!("/shop/item/destroy/{red}");
    merchant.delete(&destroy).await.result();
    merchant.delete(&destroy).await.problem(404, "offer_not_found");
    merchant.put("/shop/item/update", update(&red, "Back")).await.problem(404, "offer_not_found");
    site.visitor().get(&format!("/shop/item/find{red}")).await.problem(404, "offer_not_found");
    let archived = "select count(*) from shop_offers where name = 'Red' and archived_at is not null";
    assert_eq!(site.count(archived).await, 1);
    // Another offer can have the name of an archived one.
    create_offer(&merchant, &potions, "Red").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_shop_input_names_the_field() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", false).await;
    let wrong = |field: &str, value: Value| with_field(offer(&potions, "Red"), field, &value);
    for (field, value, pointer) in [
        ("price", json!(0), "/price"),
        ("price", json!("25"), "/price"),
        ("price", json!(1.5), "/price"),
        ("name", json!(""), "/name"),
        ("name", json!("x".repeat(61)), "/name"),
        ("picture", json!("https://other.example/red.png"), "/picture"),
        ("picture", json!("/pictures/../red.png"), "/picture"),
        ("picture", json!("/pictures/"), "/picture"),
        ("grants", json!([]), "/grants"),
        ("grants", json!([{ "kind": "sword", "id": "1", "count": 1 }]), "/grants/0/kind"),
        ("grants", json!([{ "kind": "item", "id": "1", "count": 0 }]), "/grants/0/count"),
        ("grants", json!(vec![json!({ "kind": "item", "id": "1", "count": 1 }); 11]), "/grants"),
        ("stock", json!(-1), "/stock"),
        ("grants", json!([{ "kind": "item", "id": null, "count": 1 }]), "/grants/0/id"),
        ("account_limit", json!(0), "/account_limit"),
        ("unlimited", json!(true), "/stock"),
        ("colour", json!("red"), "/colour"),
    ] {
        merchant.post("/shop/item/create", wrong(field, value)).await.invalid(pointer);
    }
    merchant.post("/shop/category/create", json!({ "hidden": true })).await.invalid("/name");
    merchant.delete("/shop/category/destroy/x").await.invalid("id");
    site.visitor().get("/shop/offers?category_id=x").await.invalid("category_id");
    site.visitor().get("/shop/category/list?page=0").await.invalid("page");
    site.finish().await;
}

/// An edit replaces all fields. A missing one would get a default, and a hidden offer would be on sale.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_without_a_field_that_it_replaces_is_refused() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", true).await;
    let red = create_offer(&merchant, &potions, "Red").await;
    let edits = [
        (
            "/shop/category/update",
            category_update(&potions, 1, "X"),
            &["name", "description", "position", "hidden"][..],
        ),
        (
            "/shop/item/update",
            offer_update(&red, 1, &potions, "X"),
            &[
                "name",
                "description",
                "picture",
                "price",
                "grants",
                "position",
                "hidden",
                "account_limit",
                "category_id",
            ],
        ),
    ];
    for (path, edit, fields) in edits {
        for field in fields {
            let mut partial = edit.clone();
            partial.as_object_mut().unwrap().remove(*field);
            merchant.put(path, partial).await.invalid(&format!("/{field}"));
        }
    }
    let both = with_field(offer_update(&red, 1, &potions, "X"), "no_account_limit", &json!(true));
    merchant.put("/shop/item/update", both.clone()).await.invalid("/account_limit");
    let list = merchant.get("/shop/category/list").await.ok();
    assert_eq!((&list["items"][0]["name"], &list["items"][0]["hidden"]), (&json!("Potions"), &json!(true)));

    let mut without_limit = both;
    without_limit.as_object_mut().unwrap().remove("account_limit");
    without_limit["picture"] = json!("");
    merchant.put("/shop/item/update", without_limit).await.result();
    let found = merchant.get(&format!("/shop/item/find/{red}")).await.ok();
    assert_eq!(
        (&found["name"], &found["picture"], found.get("account_limit")),
        (&json!("X"), &json!(""), None)
    );
    site.finish().await;
}

/// A 503 would make clients retry, although a retry cannot succeed.
#[tokio::test(flavor = "multi_thread")]
async fn an_offer_with_invalid_data_is_an_internal_error() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let potions = create_category(&merchant, "Potions", false).await;
    create_offer(&merchant, &potions, "Health potion").await;
    site.execute("update shop_offers set grants = '{}'").await;
    let response = site.visitor().request(Method::GET, "/shop/offers").send().await.unwrap();
    assert_eq!(response.status, 500);
    site.finish().await;
}

/// A table is missing: only a migration helps, and no retry.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_cannot_succeed_is_an_internal_error() {
    let site = Site::start().await;
    site.execute("alter table shop_offers rename to renamed").await;
    let response = site.visitor().request(Method::GET, "/shop/offers").send().await.unwrap();
    assert_eq!(response.status, 500);
    site.execute("alter table renamed rename to shop_offers").await;
    assert_eq!(site.visitor().get("/shop/offers").await.status, 200);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_the_shop_have_defaults() {
    let site = Site::start().await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let category = merchant.post("/shop/category/create", json!({ "name": "Potions" })).await.result();
    let grants = json!([{ "kind": "item", "id": "266", "count": 1 }]);
    let offer = json!({
        "category_id": category["category_id"], "name": "Potion", "price": 5, "grants": grants, "description": null,
        "stock": null
    });
    merchant.post("/shop/item/create", offer.clone()).await.invalid("/stock");
    let offer = with_field(offer, "unlimited", &json!(true));
    merchant.post("/shop/item/create", offer).await.result();
    let offers = site.visitor().get("/shop/offers").await.ok();
    let offer = &offers["items"][0];
    assert_eq!(
        (&offer["description"], &offer["position"], &offer["hidden"]),
        (&json!(""), &json!(0), &json!(false))
    );
    assert!(offer.get("stock").is_none(), "{offer}");
    site.finish().await;
}
