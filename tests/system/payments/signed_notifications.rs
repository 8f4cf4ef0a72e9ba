//! Signed notifications, for payment schemes without an API.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{
    client::{Response, send},
    community::StaffRole,
    notification::SignedNotification,
    options::{Options, promptpay_payments},
    payment::{coin_balance, payment_id, wait_for_status},
    site::Site,
};

/// A site that receives money by PromptPay: 1.00 THB is 2 coins.
async fn promptpay_site() -> Site {
    let site = Site::start_with(Options { payments: promptpay_payments(), ..Options::default() }).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    site
}

/// The reference that the payer's bank sends with the money.
async fn payment_reference(site: &Site, payment_id: &str) -> String {
    let id: uuid::Uuid = payment_id.parse().unwrap();
    sqlx::query_scalar("select reference from payments where payment_id = $1")
        .bind(id)
        .fetch_one(&site.database)
        .await
        .unwrap()
}

/// A notification of received money.
pub(super) fn received_notification(reference: &str, end_to_end_id: &str, amount: &str) -> Value {
    // After the lifetime of the payment.
    received_after(TimeDelta::hours(1), reference, end_to_end_id, amount)
}

fn received_after(delay: TimeDelta, reference: &str, end_to_end_id: &str, amount: &str) -> Value {
    json!({ "type": "payment.received", "data": {
        "reference": reference, "end_to_end_id": end_to_end_id, "amount": amount, "currency": "THB",
        "received_at": Utc::now() + delay
    } })
}

/// Signs and sends a notification.
async fn send_signed(site: &Site, id: &str, body: &Value) -> Response {
    send(SignedNotification::new(id, body).request(&site.visitor())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_notification_credits_coins() {
    let site = promptpay_site().await;
    let player = site.player("mira").await;
    let payment = player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await.result();
    let id = payment["payment_id"].as_str().unwrap();
    assert_eq!(
        (&payment["scheme"], &payment["amount"]),
        (&json!("promptpay"), &json!({ "amount": "125.00", "currency": "THB" }))
    );
    let reference = payment_reference(&site, id).await;

    let signed = SignedNotification::new("msg_1", &received_notification(&reference, "T1", "125.00"));
    for _ in 0..3 {
        assert_eq!(send(signed.request(&site.visitor())).await.ok()["kept"], 1);
    }
    // The notification has a date after the lifetime of the payment.
    wait_for_status(&player, id, "paid_late").await;
    assert_eq!(coin_balance(&player).await, 250);
    // A second notification of the same transfer, and one of a transfer in another currency.
    send_signed(&site, "msg_2", &received_notification(&reference, "T1", "125.00")).await.ok();
    let mut foreign = received_notification(&reference, "T2", "125.00");
    foreign["data"]["currency"] = "BRL".into();
    send_signed(&site, "msg_3", &foreign).await.ok();
    wait_for_status(&player, id, "review").await;
    assert_eq!(coin_balance(&player).await, 250);
    // A return belongs to the payment of its transfer, whatever reference it names. It cannot exceed the transfer.
    let other = player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await.result();
    let other = payment_reference(&site, other["payment_id"].as_str().unwrap()).await;
    let too_much = json!({ "type": "payment.returned", "data": {
        "end_to_end_id": "T1", "refund_id": "R0", "amount": "125.01", "currency": "THB",
        "returned_at": "2030-01-02T00:00:00Z"
    } });
    send_signed(&site, "msg_5", &too_much).await.ok();
    send_signed(&site, "msg_6", &received_notification(&other, "T1", "125.00")).await.ok();
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(site.count("select count(*) from payment_notifications where state = 'parked'").await, 2);
    assert_eq!(coin_balance(&player).await, 250);
    let returned = json!({ "type": "payment.returned", "data": {
        "reference": other, "end_to_end_id": "T1", "refund_id": "R1", "amount": "125.00", "currency": "THB",
        "returned_at": "2030-01-02T00:00:00Z", "reason": "Asked for."
    } });
    send_signed(&site, "msg_4", &returned).await.ok();
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(coin_balance(&player).await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_signed_notification_is_parked() {
    let site = promptpay_site().await;
    let player = site.player("mira").await;
    for (number, body) in [
        json!({}),
        json!({ "type": "invoice.paid", "data": {} }),
        json!({ "type": "payment.received" }),
        received_notification("NOBODY", "T1", "1.00"),
        received_notification("NOBODY", "T1", "-1.00"),
        received_notification("NOBODY", "T1", "1.001"),
        received_notification("NOBODY", "T\u{0}", "1.00"),
        received_notification("../\u{0}", "T1", "1.00"),
        received_notification("NOBODY", "NOTPROVIDED", "1.00"),
    ]
    .iter()
    .enumerate()
    {
        send_signed(&site, &format!("msg_{number}"), body).await.ok();
    }
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(site.count("select count(*) from payment_notifications where parked_at is not null").await, 9);
    assert_eq!(site.count("select count(*) from payment_notifications where reason is not null").await, 9);
    site.finish().await;
}

/// A static code never expires and can be paid with any amount. So the code of a cheap package would be a discount for ever.
#[tokio::test(flavor = "multi_thread")]
async fn much_money_and_late_money_for_a_static_code_are_held_for_review() {
    let site = promptpay_site().await;
    let player = site.player("mira").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let create = async || player.post("/payments/instant/qrcode", json!({ "coins": 2 })).await.result();
    let (much, late) = (create().await, create().await);
    let much_reference = payment_reference(&site, payment_id(&much)).await;
    let late_reference = payment_reference(&site, payment_id(&late)).await;
    for (id, amount) in [("T1", "9.00"), ("T2", "1.00")] {
        send_signed(&site, id, &received_notification(&much_reference, id, amount)).await.ok();
    }
    wait_for_status(&player, payment_id(&much), "overpaid").await;
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(coin_balance(&player).await, 20);
    send_signed(&site, "T3", &received_notification(&much_reference, "T3", "0.01")).await.ok();
    wait_for_status(&player, payment_id(&much), "review").await;
    let eight_days = received_after(TimeDelta::days(8), &late_reference, "T4", "1.00");
    send_signed(&site, "T4", &eight_days).await.ok();
    wait_for_status(&player, payment_id(&late), "review").await;
    assert_eq!(coin_balance(&player).await, 20);
    for (payment, reason) in [
        (&much, "with it, the payment has more than 10 times its amount"),
        (&late, "it arrived more than 7 days after the payment expired"),
    ] {
        let records = admin.get(&format!("/admin/payments/{}", payment_id(payment))).await.ok();
        let receipts = records["receipts"].as_array().unwrap();
        assert!(receipts.iter().any(|receipt| receipt["held_because"] == reason), "{records}");
    }
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The administrator refunds at the bank.
#[tokio::test(flavor = "multi_thread")]
async fn a_scheme_without_an_api_cannot_refund() {
    let site = promptpay_site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await.result();
    let id = payment["payment_id"].as_str().unwrap();
    let reference = payment_reference(&site, id).await;
    send_signed(&site, "msg_1", &received_notification(&reference, "T1", "125.00")).await.ok();
    wait_for_status(&player, id, "paid_late").await;
    let refund = format!("/payments/{id}/refund");
    admin.post(&refund, json!({ "reason": "A mistake." })).await.problem(409, "refund_unsupported");
    assert_eq!(coin_balance(&player).await, 250);
    assert_eq!(site.count("select count(*) from refunds").await, 0);
    wait_for_status(&player, id, "paid_late").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
