//! Notifications of the bank: early, repeated, reordered, or about unknown money.

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::{Bank, PIX_KEY},
    community::StaffRole,
    options::WEBHOOK_SECRET,
    payment::{coin_balance, create_payment, payload, payment_id, wait_for_status},
    site::Site,
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_before_the_response_of_the_bank_is_recognized() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.set_faults(json!({ "notifications": { "before_created": 1, "before_created_ms": 1500 } })).await;
    let payment = create_payment(&player).await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(site.count("select count(*) from payment_notifications where parked_at is not null").await, 0);
    assert_eq!(coin_balance(&player).await, 1100);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_late_and_reordered_notifications_change_nothing() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let (first, second) = (create_payment(&player).await, create_payment(&player).await);
    bank.set_faults(json!({ "notifications": { "reorder": 1, "duplicate": 3, "duplicate_times": 5 } })).await;
    bank.pay(payload(&first), "exact").await;
    bank.wait_until_fault_is_used_up("/notifications/reorder").await;
    let again = bank.pay(payload(&second), "exact").await;
    for payment in [&first, &second] {
        wait_for_status(&player, payment_id(payment), "paid").await;
    }
    // A later notification without any news.
    bank.wait_for_notifications(10).await;
    bank.control(Method::POST, "/notify", json!({ "end_to_end_id": again[0] })).await;
    bank.wait_for_notifications(15).await;
    // Reading the payment changes nothing.
    for _ in 0..20 {
        player.get(&format!("/payments/{}", payment_id(&first))).await.ok();
    }
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(coin_balance(&player).await, 2200);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_notification_is_parked_and_can_be_replayed() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let (unknown, foreign) = (create_payment(&player).await, create_payment(&player).await);
    bank.control(Method::POST, "/pay-static", json!({ "amount": "5.00" })).await;
    bank.wait_for_notifications(1).await;
    for (number, fault, payment) in [(2, "unknown_txid", &unknown), (3, "foreign_key", &foreign)] {
        bank.set_faults(json!({ "notifications": { fault: 1 } })).await;
        bank.pay(payload(payment), "exact").await;
        bank.wait_for_notifications(number).await;
    }
    site.wait_until_notifications_are_processed(&player).await;
    let parked = admin.get("/admin/notifications?status=parked").await.ok();
    let reasons: Vec<_> =
        parked["items"].as_array().unwrap().iter().map(|item| item["reason"].clone()).collect();
    assert_eq!(
        json!(reasons),
        json!([
            "it is about another key than ours",
            "there is no charge of this txid",
            "it names no charge (txid)"
        ])
    );
    assert_eq!(coin_balance(&player).await, 0);
    // The bank received the money. Reconciliation finds it in the list of the bank.
    bank.make_job_due(&site, "reconcile").await;
    wait_for_status(&player, payment_id(&unknown), "paid").await;
    wait_for_status(&player, payment_id(&foreign), "paid").await;
    player.get("/admin/notifications").await.problem(403, "role_missing");
    // Receipts now explain the parked notifications of these payments. The other one can be processed again.
    let replay = async |number: usize| {
        let body = json!({ "notification_id": parked["items"][number]["notification_id"] });
        admin.post("/admin/notifications/replay", body).await
    };
    replay(1).await.problem(409, "notification_settled");
    replay(2).await.result();
    site.wait_until_notifications_are_processed(&player).await;
    admin
        .post("/admin/notifications/replay", json!({ "notification_id": 999 }))
        .await
        .problem(404, "notification_not_found");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parked_notification_is_discarded_until_it_arrives_again() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    bank.control(Method::POST, "/pay-static", json!({ "amount": "5.00" })).await;
    bank.wait_for_notifications(1).await;
    site.wait_until_notifications_are_processed(&player).await;
    let stored = async || admin.get("/admin/notifications").await.ok()["items"][0].clone();
    let parked = stored().await;
    assert_eq!(parked["status"], "parked");

    let discard = async |id: &Value, key: &str| {
        let body = json!({ "notification_id": id, "reason": "A test of the bank." });
        admin.post_with_key("/admin/notifications/discard", &body, key).await
    };
    let id = &parked["notification_id"];
    let discarded = discard(id, "once").await;
    assert_eq!(discard(id, "once").await.result(), discarded.result());
    discard(id, "twice").await.problem(409, "notification_not_parked");
    discard(&json!(999), "unknown").await.problem(404, "notification_not_found");
    let listed = admin.get("/admin/notifications?status=discarded").await.ok();
    assert_eq!(
        (&listed["items"][0]["notification_id"], &listed["items"][0]["reason"]),
        (id, &parked["reason"])
    );
    assert_eq!(admin.get("/admin/notifications?status=parked").await.ok()["total"], 0);
    let entry = admin.get("/admin/audit?action=notification.discard").await.ok()["items"][0].clone();
    assert_eq!(entry["account_id"], admin.account_id);
    assert_eq!(
        (&entry["details"]["notification_id"], &entry["changes"][0]["after"]),
        (id, &json!("A test of the bank."))
    );

    // It is processed again when an administrator replays it, and when the bank sends it again.
    admin.post("/admin/notifications/replay", json!({ "notification_id": id })).await.result();
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(stored().await["status"], "parked");
    discard(id, "again").await.result();
    let end_to_end_id = &parked["body"]["endToEndId"];
    bank.control(Method::POST, "/notify", json!({ "end_to_end_id": end_to_end_id })).await;
    bank.wait_for_notifications(2).await;
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!((&stored().await["status"], &stored().await["times"]), (&json!("parked"), &json!(2)));
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// Sends a body to the webhook, as the bank does.
async fn notify(site: &Site, body: Value) {
    let url = format!("/payments/instant/webhook?secret={WEBHOOK_SECRET}");
    assert_eq!(site.visitor().post(&url, body).await.ok()["kept"], 1);
}

/// Some banks send one transfer without a list.
#[tokio::test(flavor = "multi_thread")]
async fn a_notification_without_a_list_is_processed() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    let unreported = json!({ "payload": payment["payload"], "notify": false });
    let end_to_end_id = bank.pay_with(unreported).await.remove(0);
    let txid = payment_id(&payment).replace('-', "");
    notify(&site, json!({ "endToEndId": end_to_end_id, "txid": txid, "chave": PIX_KEY, "valor": 100.0 }))
        .await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parked_notification_about_a_refund_is_settled_when_the_refund_is_done() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let payment = create_payment(&player).await;
    let end_to_end_id = bank.pay(payload(&payment), "exact").await.remove(0);
    wait_for_status(&player, payment_id(&payment), "paid").await;
    // The bank does not carry out the refund yet, and later it does not report it.
    let faults = json!({ "only": "PUT /pix/", "error": 1_000_000, "error_status": 404 });
    bank.set_faults(json!({ "api": faults })).await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    let refund_id: String =
        sqlx::query_scalar("select refund_id from refunds").fetch_one(&site.database).await.unwrap();
    let refund = json!({ "id": refund_id, "valor": "100.00", "natureza": "ORIGINAL", "status": "DEVOLVIDO" });
    let txid = payment_id(&payment).replace('-', "");
    notify(&site, json!({ "endToEndId": end_to_end_id, "txid": txid, "devolucoes": [refund] })).await;
    let parked = "select count(*) from payment_notifications where state = 'parked'";
    wait_until("the notification is parked", async || site.count(parked).await == 1).await;
    bank.set_faults(json!({ "notifications": { "drop": 1_000_000 } })).await;
    let refunded = (payment_id(&payment), "refunded");
    bank.run_job_until_status(&site, "send_refund", &player, refunded).await;
    assert_eq!(site.count(parked).await, 0);
    site.finish().await;
}
