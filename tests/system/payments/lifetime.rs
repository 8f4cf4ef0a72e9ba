//! Payments that expire or are cancelled, and are paid all the same.

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    operation::wait_until_completed,
    payment::{coin_balance, create_payment, payload, payment_id, wait_for_status},
    wait::wait_until,
};

fn cancel_path(payment: &Value) -> String {
    format!("/payments/{}/cancel", payment_id(payment))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_payment_that_is_paid_is_credited() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    site.execute("update payments set expires_at = clock_timestamp() + interval '1 second'").await;
    let mut events = player
        .request(Method::GET, &format!("/payments/{}/events", payment_id(&payment)))
        .open()
        .await
        .unwrap();
    events.read_until("event: expired").await.unwrap();
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "paid_late").await;
    assert_eq!(coin_balance(&player).await, 1100);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The bank's notifications may be lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_charge_is_checked_while_it_can_be_paid_and_six_hours_after_it_has_expired() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    let due = |job: &str| format!("select due_at from jobs where job->>'name' = '{job}'");
    site.wait_until_ahead(&due("watch_charge"), "2 minutes").await;
    bank.make_job_due(&site, "watch_charge").await;
    site.wait_until_ahead(&due("watch_charge"), "5 minutes").await;
    site.execute("update payments set expires_at = clock_timestamp()").await;
    bank.make_job_due(&site, "watch_charge").await;
    wait_for_status(&player, payment_id(&payment), "expired").await;
    site.wait_until_ahead(&due("recheck_charge"), "6 hours").await;
    let watch = "select count(*) from jobs where job->>'name' = 'watch_charge'";
    wait_until("an expired charge is not checked again and again", async || site.count(watch).await == 0)
        .await;

    // For a day, the recheck waits for a bank that does not respond.
    bank.set_faults(json!({ "api": { "only": "GET /cob/", "error": 1_000_000, "error_status": 503 } })).await;
    let expire_before = async |time: &str| {
        site.execute(&format!("update payments set expires_at = now() - interval '{time}'")).await;
        bank.make_job_due(&site, "recheck_charge").await;
    };
    expire_before("23 hours").await;
    let failed = "select count(*) from jobs where job->>'name' = 'recheck_charge' and attempts > 0";
    wait_until("the recheck will be repeated", async || site.count(failed).await == 1).await;
    expire_before("25 hours").await;
    let rechecks = "select count(*) from jobs where job->>'name' = 'recheck_charge'";
    wait_until("the recheck is given up", async || site.count(rechecks).await == 0).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_payment_can_be_cancelled_by_its_owner() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    let (open, paid) = (create_payment(&player).await, create_payment(&player).await);
    other.post(&cancel_path(&open), json!({})).await.problem(404, "payment_not_found");
    assert_eq!(player.post(&cancel_path(&open), json!({})).await.result()["status"], "cancelled");
    wait_for_status(&player, payment_id(&open), "cancelled").await;
    bank.pay(payload(&paid), "exact").await;
    wait_for_status(&player, payment_id(&paid), "paid").await;
    player.post(&cancel_path(&paid), json!({})).await.problem(409, "payment_not_cancellable");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The payer pays before the bank knows of the cancellation.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_payment_that_is_paid_is_credited() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.set_faults(json!({ "api": { "only": "PATCH ", "rate_limited": 1_000_000 } })).await;
    player.post(&cancel_path(&payment), json!({})).await.result();
    bank.pay(payload(&payment), "exact").await;
    bank.set_faults(json!({})).await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    assert_eq!(coin_balance(&player).await, 1100);
    // The bank refuses the cancellation of a paid charge, and the job ends.
    let jobs = "select count(*) from jobs where job->>'name' = 'cancel_charge'";
    wait_until("the job that cancels the charge ends", async || site.count(jobs).await == 0).await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The bank does not respond before the payment ends.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_ends_before_its_registration_is_refused() {
    let bank = Bank::start().await;
    let mut site = bank.site().await;
    let player = site.player("mira").await;
    for (end, code) in [
        ("cancelled_at = now()", "payment_cancelled"),
        ("expires_at = clock_timestamp()", "provider_unavailable"),
    ] {
        bank.set_faults(json!({ "api": { "only": "PUT /cob/", "rate_limited": 1_000_000 } })).await;
        let body = json!({ "package_id": 1 });
        let path = "/payments/instant/qrcode";
        let accepted = player.post_with_preference(path, &body, "respond-async").await;
        assert_eq!(accepted.status, 202, "{accepted:?}");
        bank.make_job_due(&site, "register_charge").await;
        // An attempt in progress would not see the end.
        site.stop_workers().await;
        site.execute(&format!("update payments set {end} where payload is null and failed_at is null")).await;
        bank.set_faults(json!({})).await;
        // Before the workers start: afterwards the job may run by itself, and be gone.
        bank.make_job_due(&site, "register_charge").await;
        site.start_workers();
        let state = wait_until_completed(&player, &accepted.body["operation_id"]).await;
        assert_eq!(state["problem"]["code"], code, "{state}");
    }
    assert_eq!(coin_balance(&player).await, 0);
    site.finish().await;
}

/// The first cancellation reaches the bank before the charge does.
#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_is_registered_after_the_cancellation_is_cancelled() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "api": { "only": "PUT /cob/", "slow_ms": 3000 } })).await;
    let path = "/payments/instant/qrcode";
    let accepted = player.post_with_preference(path, &json!({ "package_id": 1 }), "respond-async").await;
    assert_eq!(accepted.status, 202, "{accepted:?}");
    let started = "select count(*) from jobs
                   where job->>'name' = 'register_charge' and due_at > now() + interval '20 seconds'";
    wait_until("the bank is asked to register the charge", async || site.count(started).await == 1).await;
    let cancel = format!("/payments/{}/cancel", accepted.body["operation_id"].as_str().unwrap());
    player.post(&cancel, json!({})).await.result();
    wait_until("the bank has cancelled the charge", async || {
        let charges = bank.control(Method::GET, "/charges", Value::Null).await;
        charges["charges"][0]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    })
    .await;
    site.finish().await;
}
