//! The price list of coins that an administrator changes.

use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::Client,
    community::StaffRole,
    payment::{coin_balance, create_payment, payload, payment_id, wait_for_status},
    site::Site,
};

async fn rate(admin: &Client, currency: &str) -> Option<Value> {
    let list = admin.get("/admin/coins/rates").await.ok();
    let rates = list["rates"].as_array().unwrap().clone();
    rates.into_iter().find(|rate| rate["price"]["currency"] == currency)
}

/// The package as an administrator sees it.
async fn package(admin: &Client, package_id: &Value) -> Value {
    let list = admin.get("/admin/coins/packages").await.ok();
    let mut packages = list["items"].as_array().unwrap().iter();
    packages.find(|package| package["package_id"] == *package_id).unwrap().clone()
}

/// The ids of the packages on sale.
async fn on_sale(site: &Site) -> Vec<Value> {
    let list = site.visitor().get("/payments/packages").await.ok();
    list["items"].as_array().unwrap().iter().map(|package| package["package_id"].clone()).collect()
}

fn money(amount: &str, currency: &str) -> Value {
    json!({ "amount": amount, "currency": currency })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_sets_a_rate_and_manages_packages() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let new = json!({ "name": "A purse", "price": money("25.00", "EUR"), "coins": 260, "position": 5 });
    let create = "/admin/coins/create-package";
    admin.post(create, new.clone()).await.problem(409, "rate_missing");
    let rate_body = |coins: i64| json!({ "price": money("1.00", "EUR"), "coins": coins });
    assert_eq!(admin.post("/admin/coins/set-rate", rate_body(10)).await.result()["version"], 1);
    admin.post("/admin/coins/set-rate", rate_body(12)).await.problem(409, "rate_changed");
    let mut next = rate_body(12);
    next["expected_version"] = json!(1);
    assert_eq!(admin.post("/admin/coins/set-rate", next.clone()).await.result()["version"], 2);
    admin.post("/admin/coins/set-rate", next).await.problem(409, "rate_changed");
    assert_eq!(rate(&admin, "EUR").await.unwrap()["coins"], 12);

    let created = admin.post_with_key(create, &new, "once").await;
    assert_eq!(created.status, 201);
    let again = admin.post_with_key(create, &new, "once").await.result();
    let created = created.result();
    assert_eq!(created, again);
    let id = &created["package_id"];
    assert!(on_sale(&site).await.contains(id));
    let mut edit = new.clone();
    edit["package_id"] = id.clone();
    edit["expected_version"] = json!(1);
    edit["coins"] = json!(270);
    let path = "/admin/coins/edit-package";
    let mut without_rate = edit.clone();
    without_rate["price"] = money("25.00", "SGD");
    admin.put(path, without_rate).await.problem(409, "rate_missing");
    assert_eq!(admin.put(path, edit.clone()).await.result()["version"], 2);
    admin.put(path, edit.clone()).await.problem(409, "package_changed");
    assert_eq!(package(&admin, id).await["coins"], 270);

    let retire = json!({ "package_id": id });
    admin.post("/admin/coins/retire-package", retire.clone()).await.result();
    assert!(!on_sale(&site).await.contains(id));
    assert!(package(&admin, id).await["retired_at"].is_string());
    admin.post("/admin/coins/retire-package", retire).await.problem(404, "package_not_found");
    admin.put(path, edit).await.problem(404, "package_not_found");
    let mut free = new;
    free["price"] = money("0.00", "EUR");
    admin.post(create, free).await.invalid("/price");

    let entry = |list: &Value| list["items"][0].clone();
    let edited = entry(&admin.get("/admin/audit?action=coins.edit_package").await.ok());
    assert_eq!(edited["account_id"], admin.account_id);
    let coins = json!({ "field": "coins", "before": 260, "after": 270 });
    assert!(edited["changes"].as_array().unwrap().contains(&coins), "{edited}");
    let rates = entry(&admin.get("/admin/audit?action=coins.rate").await.ok());
    let coins = json!({ "field": "coins", "before": 10, "after": 12 });
    assert!(rates["changes"].as_array().unwrap().contains(&coins), "{rates}");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_payment_keeps_its_price() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = create_payment(&player).await;
    let sold = package(&admin, &json!(1)).await;
    let dearer = json!({
        "package_id": 1, "expected_version": sold["version"], "name": "A chest", "price": money("900.00", "BRL"),
        "coins": 1, "position": 10
    });
    admin.put("/admin/coins/edit-package", dearer).await.result();
    admin.post("/admin/coins/retire-package", json!({ "package_id": 1 })).await.result();
    bank.pay(payload(&payment), "exact").await;
    let paid = wait_for_status(&player, payment_id(&payment), "paid").await;
    assert_eq!(
        (&paid["amount"], coin_balance(&player).await),
        (&sold["price"], sold["coins"].as_i64().unwrap())
    );
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
