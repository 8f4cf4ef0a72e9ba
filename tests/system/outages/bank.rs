//! A bank that fails, is slow, or refuses.

use guildhall_sandbox::config::Config;
use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::send,
    community::StaffRole,
    options::no_payments,
    payment::{coin_balance, create_payment, payload, payment_id, wait_for_status},
    site::Site,
    wait::{wait_for, wait_until},
};

const CREATE_PAYMENT: &str = "/payments/instant/qrcode";

/// Ends the wait for the bank before the bank responds.
const SHORT_WAIT: &str = "wait=1";

#[tokio::test(flavor = "multi_thread")]
async fn an_idempotency_key_creates_one_payment_while_the_bank_fails() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "api": { "error": 1000 } })).await;
    let create = async |body: Value, prefer: &str| {
        let request = player.request(Method::POST, CREATE_PAYMENT).header("Idempotency-Key", "k");
        send(request.header("Prefer", prefer).json(&body)).await
    };
    let first = create(json!({ "package_id": 1 }), SHORT_WAIT).await;
    assert_eq!(first.status, 202);
    let payment = first.body["operation_id"].as_str().unwrap().to_owned();
    create(json!({ "coins": 10 }), "wait=30").await.problem(422, "idempotency_key_reused");
    assert_eq!(site.count("select count(*) from payments").await, 1);
    bank.set_faults(json!({})).await;
    wait_for_status(&player, &payment, "pending").await;
    create(json!({ "coins": 10 }), "wait=30").await.problem(422, "idempotency_key_reused");
    create(json!({ "package_id": 1 }), "wait=30").await.result();
    site.finish().await;
}

/// The jobs that wait for the bank now. A job that failed up to four times is due within 8 s; one in progress has a lease.
const HANGING_JOBS: &str = "select count(*) from jobs
     where job->>'name' = 'register_charge' and attempts <= 4 and due_at > now() + interval '9 seconds'";

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_hangs_does_not_delay_other_jobs() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    bank.set_faults(json!({ "api": { "slow_ms": 7000 } })).await;
    for _ in 0..10 {
        let body = json!({ "package_id": 1 });
        let accepted = player.post_with_preference(CREATE_PAYMENT, &body, "respond-async").await;
        assert_eq!(accepted.status, 202, "{accepted:?}");
    }
    wait_until("jobs wait for the bank at the same time", async || site.count(HANGING_JOBS).await >= 2).await;
    let post =
        json!({ "title": "The wall holds", "summary": "", "body": "Yes.", "pinned": false, "hidden": false });
    editor.post("/news/create", post).await.result();
    let announced = "select count(*) from posts where announced_at is not null";
    wait_until("the post is announced", async || site.count(announced).await == 1).await;
    site.stop().await;
}

/// The registrations in progress, if they were made due together for the first time.
const REGISTRATIONS_IN_PROGRESS: &str = "select count(*) from jobs
     where job->>'name' = 'register_charge' and attempts = 1 and due_at > now() + interval '9 seconds'";

#[tokio::test(flavor = "multi_thread")]
async fn registrations_leave_places_for_other_jobs() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    // With this response, the bank is healthy: the site stops no requests to it.
    let overload = json!({ "only": "PUT /cob/", "rate_limited": 100_000, "retry_after": 0 });
    bank.set_faults(json!({ "api": overload })).await;
    for name in ["mira", "tom", "ann"] {
        let player = site.player(name).await;
        for _ in 0..15 {
            let body = json!({ "package_id": 1 });
            let accepted = player.post_with_preference(CREATE_PAYMENT, &body, "respond-async").await;
            assert_eq!(accepted.status, 202, "{accepted:?}");
        }
    }
    let failed = "select count(*) from jobs where job->>'name' = 'register_charge' and failed_at is not null";
    wait_until("all registrations have failed once", async || site.count(failed).await == 45).await;
    bank.set_faults(json!({ "api": { "slow_ms": 7000 } })).await;
    site.execute("update jobs set due_at = now(), attempts = 0 where job->>'name' = 'register_charge'").await;
    let in_progress = wait_for("registrations are in progress", async || {
        let in_progress = site.count(REGISTRATIONS_IN_PROGRESS).await;
        (in_progress > 0).then_some(in_progress)
    })
    .await;
    assert!(in_progress <= 24, "{in_progress} of 32 places");
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_to_a_failing_bank_are_repeated() {
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
        bank.set_faults(json!({ "api": faults })).await;
        let payment = create_payment(&player).await;
        bank.set_faults(json!({ "api": { "only": "GET /cob/", "error": 1 } })).await;
        bank.pay(payload(&payment), "exact").await;
        wait_for_status(&player, payment_id(&payment), "paid").await;
    }
    assert_eq!(coin_balance(&player).await, 5500);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_bank_delays_a_payment_and_loses_nothing() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "api": { "error": 1000 } })).await;
    let body = json!({ "package_id": 1 });
    let pending = player.post_with_preference(CREATE_PAYMENT, &body, SHORT_WAIT).await;
    assert_eq!(pending.status, 202, "{pending:?}");
    let operation = pending.header("location").to_owned();
    let payment = pending.body["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(player.get(&format!("/payments/{payment}")).await.ok()["status"], "created");
    player.get(&format!("/payments/{payment}/qrcode.png")).await.problem(409, "payment_not_payable");
    bank.set_faults(json!({})).await;
    let completed = wait_for("the operation is completed", async || {
        let state = player.get(&operation).await.ok();
        (state["status"] != "pending").then_some(state)
    })
    .await;
    bank.pay(payload(&completed["result"]), "exact").await;
    wait_for_status(&player, &payment, "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_the_bank_refuses_is_refused() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "api": { "only": "PUT /cob/", "error": 1, "error_status": 422 } })).await;
    let refused = player.post(CREATE_PAYMENT, json!({ "package_id": 1 })).await;
    let problem = refused.problem(409, "provider_refused");
    wait_for_status(&player, problem["operation_id"].as_str().unwrap(), "failed").await;
    site.finish().await;
}

/// Real banks send `null` for empty lists, and amounts as numbers.
#[tokio::test(flavor = "multi_thread")]
async fn loose_json_and_an_unreadable_pix_hide_no_money() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    bank.set_faults(json!({ "api": { "loose_json": 1000, "unreadable_pix": 1000 } })).await;
    let payment = create_payment(&player).await;
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// Access tokens that live so short are not kept, so each request to the bank needs a new one.
#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_issues_no_access_token_refuses_no_payment_and_no_refund() {
    let config = Config { token_seconds: 10, refund_ms: 50, webhook_backoff_ms: 50, ..Config::default() };
    let bank = Bank::start_with(config).await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    for status in [400, 404] {
        let no_tokens = json!({ "api": { "only": "POST /oauth/token", "error": 2, "error_status": status } });
        bank.set_faults(no_tokens.clone()).await;
        let payment = create_payment(&player).await;
        bank.pay(payload(&payment), "exact").await;
        wait_for_status(&player, payment_id(&payment), "paid").await;
        bank.set_faults(no_tokens).await;
        let refund = format!("/payments/{}/refund", payment_id(&payment));
        admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
        wait_for_status(&player, payment_id(&payment), "refunded").await;
    }
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_continues_after_the_address_of_the_bank_changes() {
    let journal = std::env::temp_dir().join(format!("guildhall-bank-{}", uuid::Uuid::now_v7()));
    let config = Config { data: Some(journal.clone()), ..Config::default() };
    let bank = Bank::start_with(config.clone()).await;
    let mut site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    site.stop_workers().await;
    bank.stop().await;
    let bank = Bank::start_with(config).await;
    site.use_payments(bank.settings());
    site.start_workers();
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
    std::fs::remove_file(journal).unwrap();
}

/// Waits until a new sample has this number of unreachable banks. The bank's list was read an hour ago.
async fn wait_for_unreachable_banks(site: &Site, number: i64) {
    site.execute("delete from health_samples").await;
    let sampled = format!("select count(*) from health_samples where unreachable_banks = {number}");
    let forget_others = format!("delete from health_samples where unreachable_banks <> {number}");
    wait_until(&format!("{number} banks are unreachable"), async || {
        site.execute(&forget_others).await;
        // A job in progress has a lease of 30 s.
        site.execute(
            "insert into payment_progress (provider, reconciled_to) values ('api_pix', now() - interval '1 hour')
                 on conflict (provider) do update set reconciled_to = excluded.reconciled_to;
             update jobs set due_at = now()
                 where job->>'name' = 'sample_health' and due_at > now() + interval '40 seconds'",
        )
        .await;
        site.count(&sampled).await > 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_bank_is_not_unreachable() {
    let bank = Bank::start().await;
    let mut site = bank.site().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    wait_for_unreachable_banks(&site, 1).await;
    assert_eq!(admin.get("/admin/health").await.ok()["banks"][0]["reachable"], false);
    for (payments, unreachable) in [(no_payments(), 0), (bank.settings(), 1)] {
        site.stop_workers().await;
        site.use_payments(payments);
        site.execute("delete from health_samples").await;
        site.start_workers();
        wait_for_unreachable_banks(&site, unreachable).await;
        let banks = admin.get("/admin/health").await.ok()["banks"].as_array().unwrap().len();
        assert_eq!(banks as i64, unreachable);
    }
    site.finish().await;
}
