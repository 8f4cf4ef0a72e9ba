use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Caller, GivenRole, Site};

fn category(name: &str, hidden: bool) -> Value {
    json!({ "name": name, "description": "Heals.", "position": 10, "hidden": hidden })
}

fn offer(category_id: &Value, name: &str) -> Value {
    json!({
        "category_id": category_id, "name": name, "description": "Red.", "price": 25, "position": 5, "hidden": false,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "stock": 3, "account_limit": 2,
    })
}

fn changed(mut of: Value, id: &str, value: &Value) -> Value {
    of[id] = value.clone();
    of
}

async fn new_category(merchant: &Caller, name: &str, hidden: bool) -> Value {
    merchant.post("/shop/category/create", category(name, hidden)).await.result()["category_id"].clone()
}

async fn new_offer(merchant: &Caller, category_id: &Value, name: &str) -> Value {
    merchant.post("/shop/item/create", offer(category_id, name)).await.result()["offer_id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_category_lives_and_dies() {
    let site = Site::start().await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    let created = merchant.post("/shop/category/create", category("Potions", false)).await;
    assert_eq!(created.status, 201);
    let potions = created.result()["category_id"].clone();
    let mounts = new_category(&merchant, "Mounts", false).await;
    assert_ne!(potions, mounts);
    merchant
        .post("/shop/category/create", category("POTIONS", false))
        .await
        .problem(409, "category_name_taken");

    for path in [format!("/shop/category/find{potions}"), format!("/shop/category/find/{potions}")] {
        assert_eq!(site.nobody().get(&path).await.ok()["name"], "Potions");
    }
    assert_eq!(site.nobody().get(&format!("/shop/category/find{mounts}")).await.ok()["name"], "Mounts");
    site.nobody().get("/shop/category/find999").await.problem(404, "category_not_found");
    site.nobody().get("/shop/category/findx").await.invalid("id");
    site.nobody().get("/shop/category/find/0").await.invalid("id");

    let update = |id: &Value, name: &str| changed(category(name, false), "category_id", id);
    merchant
        .put("/shop/category/update", update(&mounts, "potions"))
        .await
        .problem(409, "category_name_taken");
    merchant.put("/shop/category/update", update(&json!(999), "X")).await.problem(404, "category_not_found");
    merchant.put("/shop/category/update", update(&mounts, "Steeds")).await.result();
    let list = site.nobody().get("/shop/category/list").await.ok();
    assert_eq!((&list["items"][0]["name"], &list["items"][1]["name"]), (&json!("Potions"), &json!("Steeds")));

    let red = new_offer(&merchant, &potions, "Red").await;
    let destroy = format!("/shop/category/destroy/{potions}");
    merchant.delete(&destroy).await.problem(409, "category_not_empty");
    merchant.delete(&format!("/shop/item/destroy/{red}")).await.result();
    merchant.delete(&destroy).await.result();
    merchant.delete(&destroy).await.problem(404, "category_not_found");
    site.nobody().get(&format!("/shop/category/find{potions}")).await.problem(404, "category_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_lives_and_is_archived() {
    let site = Site::start().await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    let potions = new_category(&merchant, "Potions", false).await;
    let others = new_category(&merchant, "Others", false).await;
    let created = merchant.post("/shop/item/create", offer(&potions, "Red")).await;
    assert_eq!(created.status, 201);
    let red = created.result()["offer_id"].clone();
    let blue = new_offer(&merchant, &potions, "Blue").await;
    merchant.post("/shop/item/create", offer(&potions, "RED")).await.problem(409, "offer_name_taken");
    merchant.post("/shop/item/create", offer(&json!(999), "Red")).await.problem(404, "category_not_found");
    new_offer(&merchant, &others, "Red").await;

    for path in [format!("/shop/item/find{red}"), format!("/shop/item/find/{red}")] {
        let found = site.nobody().get(&path).await.ok();
        assert_eq!(
            (&found["name"], &found["price"], &found["stock"]),
            (&json!("Red"), &json!(25), &json!(3))
        );
        assert_eq!(found["grants"], json!([{ "kind": "item", "id": "266", "count": 100 }]));
        assert_eq!(found["category_name"], "Potions");
    }
    assert_eq!(site.nobody().get(&format!("/shop/item/find{blue}")).await.ok()["name"], "Blue");

    let update = |id: &Value, name: &str| changed(offer(&potions, name), "offer_id", id);
    merchant.put("/shop/item/update", update(&blue, "red")).await.problem(409, "offer_name_taken");
    merchant.put("/shop/item/update", update(&json!(999), "X")).await.problem(404, "offer_not_found");
    let nowhere = changed(update(&blue, "X"), "category_id", &json!(999));
    merchant.put("/shop/item/update", nowhere).await.problem(404, "category_not_found");
    let mut unlimited = changed(update(&blue, "Green"), "price", &json!(30));
    unlimited.as_object_mut().unwrap().remove("stock");
    merchant.put("/shop/item/update", unlimited).await.result();
    let found = site.nobody().get(&format!("/shop/item/find{blue}")).await.ok();
    assert_eq!((&found["name"], &found["price"], found.get("stock")), (&json!("Green"), &json!(30), None));

    let destroy = format!("/shop/item/destroy/{red}");
    merchant.delete(&destroy).await.result();
    merchant.delete(&destroy).await.problem(404, "offer_not_found");
    merchant.put("/shop/item/update", update(&red, "Back")).await.problem(404, "offer_not_found");
    site.nobody().get(&format!("/shop/item/find{red}")).await.problem(404, "offer_not_found");
    let kept: i64 =
        sqlx::query_scalar("select count(*) from shop_offers where name = 'Red' and archived_at is not null")
            .fetch_one(&site.database)
            .await
            .unwrap();
    assert_eq!(kept, 1);
    // An archived offer gives its name free.
    new_offer(&merchant, &potions, "Red").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_is_there_for_merchants_only() {
    let site = Site::start().await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    let player = site.player("player").await;
    let open = new_category(&merchant, "Open", false).await;
    let secret = new_category(&merchant, "Secret", true).await;
    let seen = new_offer(&merchant, &open, "Seen").await;
    let inside = new_offer(&merchant, &secret, "Inside").await;
    let hidden = changed(offer(&open, "Hidden"), "hidden", &json!(true));
    let hidden = merchant.post("/shop/item/create", hidden).await.result()["offer_id"].clone();

    for visitor in [site.nobody(), player] {
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
async fn only_merchants_keep_the_shop() {
    let site = Site::start().await;
    let (player, editor) = (site.player("player").await, site.with_role("editor", GivenRole::Editor).await);
    let admin = site.with_role("boss", GivenRole::Admin).await;
    let potions = new_category(&admin, "Potions", false).await;
    let red = new_offer(&admin, &potions, "Red").await;
    for (caller, status, code) in
        [(site.nobody(), 401, "unauthorized"), (player, 403, "role_missing"), (editor, 403, "role_missing")]
    {
        caller.post("/shop/category/create", category("X", false)).await.problem(status, code);
        let update = changed(category("X", false), "category_id", &potions);
        caller.put("/shop/category/update", update).await.problem(status, code);
        caller.delete(&format!("/shop/category/destroy/{potions}")).await.problem(status, code);
        caller.post("/shop/item/create", offer(&potions, "X")).await.problem(status, code);
        let update = changed(offer(&potions, "X"), "offer_id", &red);
        caller.put("/shop/item/update", update).await.problem(status, code);
        caller.delete(&format!("/shop/item/destroy/{red}")).await.problem(status, code);
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_shop_input_is_pointed_at() {
    let site = Site::start().await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    let potions = new_category(&merchant, "Potions", false).await;
    let wrong = |field: &str, value: Value| changed(offer(&potions, "Red"), field, &value);
    for (field, value, pointer) in [
        ("price", json!(0), "/price"),
        ("price", json!("25"), "/price"),
        ("price", json!(1.5), "/price"),
        ("name", json!(""), "/name"),
        ("name", json!("x".repeat(61)), "/name"),
        ("grants", json!([]), "/grants"),
        ("grants", json!([{ "kind": "sword", "id": "1", "count": 1 }]), "/grants/0/kind"),
        ("grants", json!([{ "kind": "item", "id": "1", "count": 0 }]), "/grants/0/count"),
        ("grants", json!(vec![json!({ "kind": "item", "id": "1", "count": 1 }); 11]), "/grants"),
        ("stock", json!(-1), "/stock"),
        ("stock", Value::Null, "/stock"),
        ("grants", json!([{ "kind": "item", "id": null, "count": 1 }]), "/grants/0/id"),
        ("account_limit", json!(0), "/account_limit"),
        ("colour", json!("red"), "/colour"),
    ] {
        merchant.post("/shop/item/create", wrong(field, value)).await.invalid(pointer);
    }
    merchant.post("/shop/category/create", json!({ "name": "X" })).await.invalid("/description");
    merchant.delete("/shop/category/destroy/x").await.invalid("id");
    site.nobody().get("/shop/offers?category_id=x").await.invalid("category_id");
    site.nobody().get("/shop/category/list?page=0").await.invalid("page");
    site.finish().await;
}

/// Told that the database is away, a client would ask again for ever.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_a_fault_of_ours() {
    let site = Site::start().await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    let potions = new_category(&merchant, "Potions", false).await;
    new_offer(&merchant, &potions, "Health potion").await;
    sqlx::query("update shop_offers set grants = '{}'").execute(&site.database).await.unwrap();
    let answer = site.nobody().request(Method::GET, "/shop/offers").send().await.unwrap();
    assert_eq!(answer.status(), 500);
    site.finish().await;
}
