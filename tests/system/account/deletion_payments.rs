//! The payments of a deleted account.

use http::Method;
use serde_json::{Value, json};

use super::deletion::{ask_for_deletion, delete_now};
use crate::support::{
    bank::Bank,
    community::StaffRole,
    payment::{create_payment, payload, payment_id, wait_for_status},
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn open_payments_of_a_deleted_account_are_cancelled() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    create_payment(&mira).await;
    ask_for_deletion(&mira).await.result();
    let other = create_payment(&tom).await;
    delete_now(&site, mira.account_id).await;
    let cancelled = "select count(*) from payments where cancelled_at is not null";
    assert_eq!(site.count(cancelled).await, 1);
    wait_for_status(&tom, payment_id(&other), "pending").await;
    wait_until("the bank has cancelled the charge", async || {
        let charges = bank.control(Method::GET, "/charges", Value::Null).await;
        charges["charges"][1]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    })
    .await;
    site.finish().await;
}

/// Nobody can use the coins.
#[tokio::test(flavor = "multi_thread")]
async fn money_for_a_deleted_account_is_held_for_review() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let mira = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let payment = create_payment(&mira).await;
    ask_for_deletion(&mira).await.result();
    bank.set_faults(json!({ "api": { "only": "PATCH ", "error": 1_000_000 } })).await;
    delete_now(&site, mira.account_id).await;
    bank.pay(payload(&payment), "exact").await;
    let review = async || admin.get("/admin/payments?status=review").await.ok()["total"] == 1;
    wait_until("the payment is in review", review).await;
    let records = admin.get(&format!("/admin/payments/{}", payment_id(&payment))).await.ok();
    assert_eq!(records["receipts"][0]["held_because"], "its account was deleted", "{records}");
    assert_eq!(site.count("select count(*) from coin_transfers").await, 0);
    // The money can be refunded.
    bank.set_faults(json!({})).await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    admin.post(&refund, json!({ "reason": "The account was deleted." })).await.result();
    let refunded = async || admin.get("/admin/payments?status=refunded").await.ok()["total"] == 1;
    wait_until("the payment is refunded", refunded).await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
