//! Payments that expire or are cancelled, and are paid all the same.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    payment::{coin_balance, create_payment, payload, payment_id, read_events_until, wait_for_status},
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
        .send()
        .await
        .unwrap();
    read_events_until(&mut events, "event: expired").await;
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "paid_late").await;
    assert_eq!(coin_balance(&player).await, 1100);
    site.assert_ledger_is_consistent().await;
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
