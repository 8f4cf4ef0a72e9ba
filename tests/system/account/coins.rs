//! The history of a player's coins.

use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::Client,
    community::StaffRole,
    options::Options,
    payment::{coin_balance, paid_payment, payment_id, wait_for_status},
    service::audit_texts,
    site::Site,
};

async fn entries(player: &Client, page: &str) -> Vec<Value> {
    player.get(&format!("/accounts/coins/{page}")).await.ok()["items"].as_array().unwrap().clone()
}

/// The entry without its id and its time.
fn facts(mut entry: Value) -> Value {
    let fields = entry.as_object_mut().unwrap();
    assert!(fields.remove("transfer_id").unwrap().is_i64());
    assert!(fields.remove("happened_at").unwrap().is_string());
    entry
}

/// Buys a horse for 250 coins, and gets the coins back. Returns the id of the purchase.
async fn buy_and_return(site: &Site, player: &Client, admin: &Client) -> Value {
    site.character(player, "Mira Stormborn").await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    let bought = player.post("/shop/purchase", purchase).await.result();
    let discard = json!({
        "delivery_id": bought["deliveries"][0]["delivery_id"], "reason": "The game has lost it.", "return_coins": true
    });
    admin.post("/admin/deliveries/discard", discard).await.result();
    bought["purchase_id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_coins_is_in_the_history() {
    let bank = Bank::start().await;
    let options = Options { rename_cost: 50, payments: bank.settings(), ..Options::default() };
    let site = bank.site_with(options).await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let gift = json!({ "account_id": mira.account_id, "coins": 100, "reason": "Won the contest." });
    admin.post("/admin/coins/adjust", gift).await.result();
    let payment = paid_payment(&bank, &mira).await;
    let purchase_id = buy_and_return(&site, &mira, &admin).await;
    site.claimed_character(&mira, "Mira").await;
    let rename = json!({ "character_name": "Mira", "new_name": "Mirabel" });
    mira.post("/accounts/characters/rename", rename).await.result();
    let refund = json!({ "reason": "A mistake." });
    admin.post(&format!("/payments/{}/refund", payment_id(&payment)), refund).await.result();
    wait_for_status(&mira, payment_id(&payment), "refunded").await;

    let history: Vec<_> = entries(&mira, "1/10").await.into_iter().map(facts).collect();
    let payment_id = &payment["payment_id"];
    assert_eq!(
        history,
        [
            json!({ "kind": "refund", "coins": -1100, "payment_id": payment_id }),
            json!({ "kind": "rename", "coins": -50 }),
            json!({ "kind": "return", "coins": 250, "purchase_id": purchase_id, "reason": "The game has lost it." }),
            json!({ "kind": "purchase", "coins": -250, "purchase_id": purchase_id }),
            json!({ "kind": "credit", "coins": 1100, "payment_id": payment_id }),
            json!({ "kind": "adjustment", "coins": 100, "reason": "Won the contest." }),
        ]
    );
    let sum: i64 = history.iter().map(|entry| entry["coins"].as_i64().unwrap()).sum();
    assert_eq!(sum, coin_balance(&mira).await);

    audit_texts::erase_account(&site.workers, &"mira".parse().unwrap()).await.unwrap();
    assert!(entries(&mira, "1/10").await.iter().all(|entry| entry.get("reason").is_none()));
    assert_eq!(entries(&tom, "1/10").await, [] as [Value; 0]);
    assert_eq!(entries(&admin, "1/10").await, [] as [Value; 0]);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_the_history_counts_from_a_place() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let adjust = async |player: &Client, coins: i64| {
        let gift = json!({ "account_id": player.account_id, "coins": coins, "reason": "For the test." });
        admin.post("/admin/coins/adjust", gift).await.result();
    };
    for coins in [10, -3, 20] {
        adjust(&mira, coins).await;
        adjust(&tom, 1).await;
    }
    let first = mira.get("/accounts/coins/1/2").await;
    assert_eq!(first.header("cache-control"), "private, no-cache");
    let first = first.ok();
    let coins = |entries: &[Value]| -> Vec<i64> {
        entries.iter().map(|entry| entry["coins"].as_i64().unwrap()).collect()
    };
    assert_eq!(coins(first["items"].as_array().unwrap()), [20, -3]);
    assert_eq!((&first["total"], &first["pages"]), (&json!(3), &json!(2)));
    assert_eq!(coins(&entries(&mira, "2/2").await), [10]);
    // A newer entry does not move the place.
    adjust(&mira, 40).await;
    let after = format!("1/2?after={}", first["next"].as_str().unwrap());
    assert_eq!(coins(&entries(&mira, &after).await), [10]);
    assert_eq!(coins(&entries(&mira, "1/2").await), [40, 20]);
    assert_eq!(coins(&entries(&tom, &after).await), [1]);
    mira.get("/accounts/coins/1/2?after=AAAA").await.invalid("after");
    site.visitor().get("/accounts/coins/1/2").await.problem(401, "unauthorized");
    site.finish().await;
}
