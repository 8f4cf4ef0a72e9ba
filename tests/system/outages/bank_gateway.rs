//! A bank whose gateway responds for it: 404 during an outage, or a pause after too many requests.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    community::StaffRole,
    payment::{coin_balance, create_payment, paid_payment, payment_id, wait_for_status},
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_404_of_the_gateway_fails_no_payment() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "api": { "only": "PUT /cob/", "error": 2, "error_status": 404 } })).await;
    let payment = create_payment(&player).await;
    wait_for_status(&player, payment_id(&payment), "pending").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_404_of_the_gateway_fails_no_refund() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let payment = paid_payment(&bank, &player).await;
    bank.set_faults(json!({ "api": { "only": "PUT /pix/", "error": 1_000_000, "error_status": 404 } })).await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    // More attempts than refusals that would be final. A job in progress has a lease of 30 s.
    let waiting = "select count(*) from jobs
                   where job->>'name' = 'send_refund' and due_at > now() + interval '40 seconds'";
    for _ in 0..6 {
        wait_until("the refund waits for its next attempt", async || site.count(waiting).await == 1).await;
        site.wait_until_ahead("select due_at from jobs where job->>'name' = 'send_refund'", "1 minute").await;
        bank.make_job_due(&site, "send_refund").await;
    }
    bank.set_faults(json!({})).await;
    wait_until("the refund waits, or was sent", async || {
        site.count(waiting).await == 1
            || site.count("select count(*) from refunds where state = 'done'").await == 1
    })
    .await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'send_refund'").await;
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    assert_eq!(coin_balance(&player).await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_404_of_the_gateway_ends_no_cancellation() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.set_faults(json!({ "api": { "only": "PATCH ", "error": 1, "error_status": 404 } })).await;
    player.post(&format!("/payments/{}/cancel", payment_id(&payment)), json!({})).await.result();
    bank.wait_until_fault_is_used_up("/api/error").await;
    bank.run_job_until(&site, "cancel_charge", "the bank has cancelled the charge", async || {
        let charges = bank.control(Method::GET, "/charges", Value::Null).await;
        charges["charges"][0]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    })
    .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_sent_during_a_pause_that_the_bank_requires() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let pause = json!({ "only": "PUT /cob/", "rate_limited": 1, "retry_after": 5 });
    bank.set_faults(json!({ "api": pause })).await;
    let start = Instant::now();
    create_payment(&player).await;
    assert!(start.elapsed() >= Duration::from_secs(5));
    site.finish().await;
}
