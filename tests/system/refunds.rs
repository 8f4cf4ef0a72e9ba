//! Money that goes back.

use guildhall_sandbox::config::Config;
use reqwest::Method;
use serde_json::json;

use super::{
    bank::Bank,
    payments::{chest, coins, id, offer, stands},
    support::GivenRole,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_coins_that_were_spent_leaves_a_debt() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    site.character(&player, "Mira Stormborn").await;
    let horse = offer(&site, json!({ "name": "Horse", "price": 800 })).await;
    let buy = json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    player.post("/shop/purchase", buy.clone()).await.result();

    let refund = format!("/payments/{}/refund", id(&asked));
    let body =
        |amount: &str| json!({ "amount": { "amount": amount, "currency": "BRL" }, "reason": "A mistake." });
    player.post(&refund, body("10.00")).await.problem(403, "role_missing");
    admin.post(&refund, body("100.01")).await.problem(409, "refund_too_large");
    let refunded = admin.post(&refund, body("50.00")).await.result();
    // 1,100 for the whole; half of it is worth the plain rate. 300 were left.
    assert_eq!((&refunded["coins"], &refunded["balance"]), (&json!(600), &json!(-300)));
    stands(&player, id(&asked), "partially_refunded").await;
    player.post("/shop/purchase", buy.clone()).await.problem(409, "coins_owed");
    admin.post(&refund, json!({ "reason": "All of it." })).await.result();
    stands(&player, id(&asked), "refunded").await;
    assert_eq!(coins(&player).await, -800);
    admin.post(&refund, json!({ "reason": "Once more." })).await.problem(409, "nothing_to_refund");

    // New coins make up for the debt first.
    let again = chest(&player).await;
    bank.pay(again["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&again), "paid").await;
    assert_eq!(coins(&player).await, 300);
    player.post("/shop/purchase", buy).await.problem(409, "not_enough_coins");
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_fails_gives_the_coins_back() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    bank.faults(json!({ "api": { "devolucao_fails": 1 } })).await;
    let refund = format!("/payments/{}/refund", id(&asked));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    stands(&player, id(&asked), "paid").await;
    assert_eq!(coins(&player).await, 1100);
    // The bank's answer to the next is lost on the way: it is not asked for twice.
    bank.faults(json!({ "api": { "only": "PUT /pix/", "drop_after_apply": 1 } })).await;
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    stands(&player, id(&asked), "refunded").await;
    assert_eq!(coins(&player).await, 0);
    let charges = bank.control(Method::GET, "/charges", json!(null)).await;
    assert_eq!(charges["charges"][0]["pix"][0]["devolucoes"].as_array().unwrap().len(), 2);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_ends_by_the_banks_last_word_alone() {
    let bank = Bank::with(Config { refund_ms: 1500, webhook_backoff_ms: 50, ..Config::default() }).await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    let path = format!("/payments/{}/refund", id(&asked));
    let refund = async |amount: &str| {
        let body = json!({ "amount": { "amount": amount, "currency": "BRL" }, "reason": "A mistake." });
        admin.post(&path, body).await.result();
    };
    let refused = |call: &str, times: u32| {
        bank.faults(json!({ "api": { "only": call, "error": times, "error_status": 409 } }))
    };
    // A look that is refused, or an order that it may just be carrying out, says nothing.
    for call in ["GET /pix/", "PUT /pix/"] {
        refused(call, 2).await;
        refund("10.00").await;
        stands(&player, id(&asked), "refund_pending").await;
        stands(&player, id(&asked), "partially_refunded").await;
    }
    // Refused again and again, it is refused.
    refused("PUT /pix/", 100).await;
    refund("10.00").await;
    stands(&player, id(&asked), "partially_refunded").await;
    let books = admin.get(&format!("/admin/payments/{}", id(&asked))).await.ok();
    let states: Vec<_> = books["refunds"].as_array().unwrap().iter().map(|refund| &refund["state"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "failed").count(), 1, "{books}");
    // What arrives has arrived, though the books have it as failed.
    refused("", 0).await;
    refund("80.00").await;
    sqlx::query("update refunds set state = 'failed', settled_at = now() where amount = 8000")
        .execute(&site.database)
        .await
        .unwrap();
    stands(&player, id(&asked), "refunded").await;
    assert_eq!(coins(&player).await, 0);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_scheme_takes_back_is_taken_back() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    let ids = bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": ids[0], "amount": "100.00" })).await;
    stands(&player, id(&asked), "reversed").await;
    assert_eq!(coins(&player).await, 0);
    // The next one nobody tells of: it is found in the bank's list of what went back.
    let second = chest(&player).await;
    let ids = bank.pay(second["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&second), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": ids[0], "notify": false })).await;
    bank.due(&site, "reconcile_returns").await;
    stands(&player, id(&second), "reversed").await;
    assert_eq!(coins(&player).await, 0);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_takes_from_the_newest_money_first() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "twice").await;
    stands(&player, id(&asked), "overpaid").await;
    let refund = format!("/payments/{}/refund", id(&asked));
    let body = json!({ "amount": { "amount": "150.00", "currency": "BRL" }, "reason": "Paid twice." });
    admin.post(&refund, body).await.result();
    stands(&player, id(&asked), "partially_refunded").await;
    assert_eq!(coins(&player).await, 500);
    let books = admin.get(&format!("/admin/payments/{}", id(&asked))).await.ok();
    let amounts: Vec<_> =
        books["refunds"].as_array().unwrap().iter().map(|refund| refund["minor_units"].clone()).collect();
    assert_eq!(json!(amounts).as_array().unwrap().len(), 2);
    assert!(amounts.contains(&json!(10_000)) && amounts.contains(&json!(5_000)), "{books}");
    player.get(&format!("/admin/payments/{}", id(&asked))).await.problem(403, "role_missing");
    for (query, total) in
        [("", 1), ("?status=partially_refunded", 1), ("?status=paid", 0), ("?account_id=999", 0)]
    {
        assert_eq!(admin.get(&format!("/admin/payments{query}")).await.ok()["total"], total, "{query}");
    }
    site.books_agree().await;
    site.finish().await;
}
