//! Money that no notification reports: jobs find it at the bank.

use serde_json::json;

use crate::support::{
    bank::Bank,
    community::AssignableRole,
    payment::{create_payment, payment_id, wait_for_status},
};

#[tokio::test(flavor = "multi_thread")]
async fn reconciliation_finds_money_without_a_notification() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    bank.make_job_due(&site, "reconcile").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_the_bank_refuses_to_report_hides_no_other_money() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let (unreported, reported) = (create_payment(&player).await, create_payment(&player).await);
    let txid = payment_id(&unreported).replace('-', "");
    bank.set_faults(
        json!({ "api": { "only": format!("GET /cob/{txid}"), "error": 1000, "error_status": 400 } }),
    )
    .await;
    for payment in [&unreported, &reported] {
        bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    }
    bank.make_job_due(&site, "reconcile").await;
    wait_for_status(&player, payment_id(&reported), "paid").await;
    // The other payment is parked, and an administrator sees it.
    site.wait_until_notifications_are_processed(&player).await;
    let admin = site.player_with_role("boss", AssignableRole::Admin).await;
    assert_eq!(admin.get("/admin/notifications?state=parked").await.ok()["total"], 1);
    bank.set_faults(json!({})).await;
    bank.make_job_due(&site, "reconcile").await;
    wait_for_status(&player, payment_id(&unreported), "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watch_of_a_charge_finds_money_without_a_notification() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    bank.make_job_due(&site, "watch_charge").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
