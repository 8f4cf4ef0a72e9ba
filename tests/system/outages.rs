//! A bank that is in trouble, and payments meanwhile.

use guildhall_sandbox::config::Config;
use reqwest::Method;
use serde_json::json;

use super::{
    bank::Bank,
    payments::{chest, coins, id, stands},
    support::{GivenRole, Options, send},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_asks_for_a_payment_asks_for_nothing_else_meanwhile() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "error": 1000 } })).await;
    let keyed = |path: &str, body: serde_json::Value| {
        let request = player.request(Method::POST, path).json(&body).header("Idempotency-Key", "k");
        send(request)
    };
    let first = keyed("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    assert_eq!(first.status, 202);
    let payment = first.body["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(keyed("/payments/instant/qrcode", json!({ "coins": 10 })).await.status, 202);
    assert_eq!(site.number("select count(*) from payments").await, 1);
    bank.faults(json!({})).await;
    stands(&player, &payment, "pending").await;
    keyed("/payments/instant/qrcode", json!({ "coins": 10 })).await.problem(422, "idempotency_key_reused");
    keyed("/payments/instant/qrcode", json!({ "package_id": 1 })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_hangs_keeps_nobody_else_waiting() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "slow_ms": 7000 } })).await;
    for _ in 0..10 {
        assert_eq!(player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await.status, 202);
    }
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let post =
        json!({ "title": "It stands", "summary": "", "body": "Yes.", "pinned": false, "hidden": false });
    editor.post("/news/create", post).await.result();
    for _ in 0..600 {
        if site.number("select count(*) from posts where announced_at is not null").await == 1 {
            return site.stop().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the news wait for the bank");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_is_in_trouble_is_asked_again() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    for faults in [
        json!({ "only": "PUT /cob/", "error": 2 }),
        json!({ "only": "PUT /cob/", "error": 1, "error_status": 500 }),
        json!({ "only": "PUT /cob/", "drop_after_apply": 1 }),
        json!({ "only": "PUT /cob/", "token_expired": 1 }),
        json!({ "only": "PUT /cob/", "rate_limited": 1 }),
    ] {
        bank.faults(json!({ "api": faults })).await;
        let asked = chest(&player).await;
        bank.faults(json!({ "api": { "only": "GET /cob/", "error": 1 } })).await;
        bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
        stands(&player, id(&asked), "paid").await;
    }
    assert_eq!(coins(&player).await, 5500);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_is_down_makes_the_answer_late_and_loses_nothing() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "error": 1000 } })).await;
    let pending = player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    assert_eq!(pending.status, 202, "{pending:?}");
    let operation = pending.header("location").to_owned();
    let payment = pending.body["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(player.get(&format!("/payments/{payment}")).await.ok()["status"], "created");
    player.get(&format!("/payments/{payment}/qrcode.png")).await.problem(409, "payment_not_payable");
    bank.faults(json!({})).await;
    let mut operation_now = player.get(&operation).await.ok();
    while operation_now["status"] == "pending" {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        operation_now = player.get(&operation).await.ok();
    }
    bank.pay(operation_now["result"]["payload"].as_str().unwrap(), "exact").await;
    stands(&player, &payment, "paid").await;
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_refuses_is_told_as_a_refusal() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "only": "PUT /cob/", "error": 1, "error_status": 422 } })).await;
    let refused = player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    let problem = refused.problem(409, "provider_refused");
    stands(&player, problem["operation_id"].as_str().unwrap(), "failed").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_banks_address_may_change() {
    let journal = std::env::temp_dir().join(format!("guildhall-bank-{}", uuid::Uuid::now_v7()));
    let config = Config { data: Some(journal.clone()), ..Config::default() };
    let bank = Bank::with(config.clone()).await;
    let mut site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    site.stop_workers().await;
    bank.stop().await;
    let bank = Bank::with(config).await;
    site.use_payments(bank.settings());
    site.start_workers();
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    site.books_agree().await;
    site.finish().await;
    std::fs::remove_file(journal).unwrap();
}
