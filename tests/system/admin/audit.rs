//! The audit log: what changed in the shop and the news, and texts that an operator erases.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{client::Client, community::StaffRole, service::audit_texts, site::Site};

/// The newest entries, up to the number of actions, oldest first.
async fn newest_entries(admin: &Client, number: usize) -> Vec<Value> {
    let list = admin.get(&format!("/admin/audit?limit={number}")).await.ok();
    list["items"].as_array().unwrap().iter().rev().cloned().collect()
}

/// The change of a field: before and after.
fn change<'a>(entry: &'a Value, field: &str) -> (&'a Value, &'a Value) {
    let changes = entry["changes"].as_array().unwrap();
    let change = changes.iter().find(|change| change["field"] == field);
    let change = change.unwrap_or_else(|| panic!("{field} did not change: {entry}"));
    (&change["before"], &change["after"])
}

fn fields(entry: &Value) -> Vec<&str> {
    entry["changes"].as_array().unwrap().iter().map(|change| change["field"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_has_what_changed_in_the_shop() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    let category = json!({ "name": "Potions", "description": "Heals.", "position": 10 });
    let created = merchant.post("/shop/category/create", category.clone()).await.result();
    let mut update = category;
    update["category_id"] = created["category_id"].clone();
    update["expected_version"] = json!(1);
    update["hidden"] = json!(true);
    update["description"] = json!("Cures.");
    merchant.put("/shop/category/update", update).await.result();
    let offer = json!({
        "category_id": created["category_id"], "name": "Red", "description": "A potion.", "picture": "", "price": 25, "stock": 3,
        "grants": [{ "kind": "item", "id": "266", "count": 1 }]
    });
    let offer_id = merchant.post("/shop/item/create", offer.clone()).await.result()["offer_id"].clone();
    let mut update = offer;
    update.as_object_mut().unwrap().remove("stock");
    update["offer_id"] = offer_id.clone();
    update["expected_version"] = json!(1);
    update["position"] = json!(0);
    update["hidden"] = json!(false);
    update["no_account_limit"] = json!(true);
    update["price"] = json!(30);
    update["picture"] = json!("/pictures/red.png");
    update["grants"][0]["id"] = json!("267");
    merchant.put("/shop/item/update", update).await.result();
    let stock = json!({ "offer_id": offer_id, "change": 2 });
    merchant.post("/shop/item/change-stock", stock).await.result();
    merchant.delete(&format!("/shop/item/destroy/{offer_id}")).await.result();
    merchant.delete(&format!("/shop/category/destroy/{}", created["category_id"])).await.result();

    let entries = newest_entries(&admin, 7).await;
    let actions: Vec<&str> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected = [
        "shop.create_category",
        "shop.edit_category",
        "shop.create_offer",
        "shop.edit_offer",
        "shop.change_stock",
        "shop.destroy_offer",
        "shop.destroy_category",
    ];
    assert_eq!(actions, expected);
    assert!(entries.iter().all(|entry| entry["account_id"] == merchant.account_id), "{entries:?}");
    assert_eq!(change(&entries[0], "name"), (&Value::Null, &json!("Potions")));
    assert_eq!(entries[1]["details"], json!({ "category_id": created["category_id"] }));
    assert_eq!(fields(&entries[1]), ["hidden", "version", "description"]);
    assert_eq!(change(&entries[1], "hidden"), (&json!(false), &json!(true)));
    assert_eq!(change(&entries[1], "description"), (&json!("Heals."), &json!("Cures.")));
    assert_eq!(change(&entries[2], "stock"), (&Value::Null, &json!(3)));
    assert_eq!(fields(&entries[3]), ["price", "version", "grants", "picture"]);
    assert_eq!(change(&entries[3], "price"), (&json!(25), &json!(30)));
    assert_eq!(change(&entries[3], "grants").1[0]["id"], "267");
    assert_eq!(change(&entries[4], "stock"), (&json!(3), &json!(5)));
    assert_eq!(change(&entries[5], "price"), (&json!(30), &Value::Null));
    assert_eq!(change(&entries[6], "description"), (&json!("Cures."), &Value::Null));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_found_by_author_account_action_and_time() {
    let site = Site::start().await;
    let (first, second) = (
        site.player_with_role("first", StaffRole::Admin).await,
        site.player_with_role("second", StaffRole::Admin).await,
    );
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let note = |account_id: i64, text: &str| json!({ "account_id": account_id, "text": text });
    let gift = |account_id: i64| json!({ "account_id": account_id, "coins": 5, "reason": "A gift." });
    first.post("/admin/accounts/add-note", note(mira.account_id, "One.")).await.result();
    second.post("/admin/accounts/add-note", note(mira.account_id, "Two.")).await.result();
    first.post("/admin/coins/adjust", gift(mira.account_id)).await.result();
    first.post("/admin/coins/adjust", gift(tom.account_id)).await.result();

    let found = async |filter: &str| -> Vec<(i64, i64, String)> {
        let list = first.get(&format!("/admin/audit?{filter}")).await.ok();
        let entries = list["items"].as_array().unwrap().iter().filter(|entry| entry["account_id"].is_i64());
        let entries = entries.map(|entry| {
            let account_id = |value: &Value| value["account_id"].as_i64().unwrap();
            (account_id(entry), account_id(&entry["details"]), entry["action"].as_str().unwrap().to_owned())
        });
        entries.collect()
    };
    let by = |author: &Client, about: &Client, action: &str| {
        (author.account_id, about.account_id, action.to_owned())
    };
    let [to_tom, to_mira, two, one] = [
        by(&first, &tom, "coins.adjust"),
        by(&first, &mira, "coins.adjust"),
        by(&second, &mira, "account.add_note"),
        by(&first, &mira, "account.add_note"),
    ];
    let (author, about) =
        (format!("account_id={}", first.account_id), format!("about_account_id={}", mira.account_id));
    let action = "action=account.add_note";
    assert_eq!(found("").await, [to_tom.clone(), to_mira.clone(), two.clone(), one.clone()]);
    assert_eq!(found(&author).await, [to_tom.clone(), to_mira.clone(), one.clone()]);
    assert_eq!(found(&about).await, [to_mira.clone(), two.clone(), one.clone()]);
    assert_eq!(found(action).await, [two, one.clone()]);
    assert_eq!(found(&format!("{author}&{about}")).await, [to_mira.clone(), one.clone()]);
    assert_eq!(found(&format!("{author}&{about}&{action}")).await, [one]);
    assert_eq!(found("action=coins.rate").await, []);

    let times = first.get("/admin/audit?action=coins.adjust").await.ok();
    let time = |place: usize| times["items"][place]["done_at"].as_str().unwrap();
    assert_eq!(found(&format!("since={}", time(0))).await, [to_tom]);
    assert_eq!(found(&format!("since={0}&until={0}", time(1))).await, [to_mira]);
    first.get("/admin/audit?action=Coins").await.invalid("action");
    first.get("/admin/audit?since=yesterday").await.invalid("since");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_the_audit_log_can_be_erased_and_the_log_stays() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let editor = site.player_with_role("nora", StaffRole::Editor).await;
    let post = json!({ "title": "Nora Smith won", "body": "Secret of Nora Smith." });
    let post_id = editor.post("/news/create", post).await.result()["post_id"].clone();
    let edit = json!({ "post_id": post_id, "body": "Another secret of Nora Smith.", "pinned": true });
    editor.patch("/news/edit", edit).await.result();
    editor.delete(&format!("/news/destroy/{post_id}")).await.result();
    let gift = json!({ "account_id": editor.account_id, "coins": 5, "reason": "Nora Smith was ill." });
    admin.post("/admin/coins/adjust", gift).await.result();

    let entries = newest_entries(&admin, 4).await;
    assert_eq!(change(&entries[0], "title"), (&Value::Null, &json!("Nora Smith won")));
    let bodies = (&json!("Secret of Nora Smith."), &json!("Another secret of Nora Smith."));
    assert_eq!(change(&entries[1], "body"), bodies);
    assert_eq!(change(&entries[1], "pinned"), (&json!(false), &json!(true)));
    assert_eq!(change(&entries[2], "body"), (bodies.1, &Value::Null));
    assert_eq!(change(&entries[3], "reason"), (&Value::Null, &json!("Nora Smith was ill.")));
    assert_eq!(entries[3]["details"], json!({ "account_id": editor.account_id, "coins": 5 }));

    let in_the_log = site.count("select count(*) from audit_log where details::text like '%Smith%'").await;
    assert_eq!(in_the_log, 0);
    let first = entries[0]["audit_id"].as_i64().unwrap();
    assert!(audit_texts::erase_entries(&site.workers, &[999]).await.is_err());
    audit_texts::erase_entries(&site.workers, &[first]).await.unwrap();
    let entries = newest_entries(&admin, 5).await;
    assert_eq!(change(&entries[0], "title"), (&Value::Null, &Value::Null));
    assert!(entries[0]["changes"].to_string().contains("erased_at"), "{}", entries[0]);
    assert_eq!(change(&entries[1], "body"), bodies);
    assert_eq!(entries[4]["details"]["audit_ids"], json!([first]));

    audit_texts::erase_account(&site.workers, &"nora".parse().unwrap()).await.unwrap();
    for table in ["audit_log", "audit_texts", "coin_transfers", "delivery_events"] {
        let with_name = format!("select count(*) from {table} where {table}::text like '%Smith%'");
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(with_name)).fetch_one(&site.database).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }
    let entries = newest_entries(&admin, 6).await;
    assert_eq!(change(&entries[1], "pinned"), (&json!(false), &json!(true)));
    assert_eq!(change(&entries[3], "reason"), (&Value::Null, &Value::Null));
    assert_eq!(entries[3]["details"]["coins"], 5);
    assert_eq!(entries[5]["action"], "audit.erase_account");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn append_only_tables_accept_only_erasures() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    site.give_coins(&player, 5).await;
    for (table, statements) in [
        ("audit_log", &["update audit_log set action = action"][..]),
        (
            "coin_transfers",
            &[
                "update coin_transfers set kind = 'credit'",
                "update coin_transfers set reason = 'Another reason.'",
                "update coin_transfers set reason = null, kind = 'credit'",
                "delete from coin_transfers",
                "truncate coin_transfers cascade",
            ],
        ),
        ("coin_entries", &["update coin_entries set coins = coins + 1"]),
    ] {
        for statement in statements {
            assert_eq!(site.error(statement).await, format!("{table} is append-only"), "{statement}");
        }
    }
    let error = site.error("update audit_texts set erased_at = now()").await;
    assert!(error.contains("audit_texts"), "{error}");
    site.execute("update coin_transfers set reason = null").await;
    site.finish().await;
}
