//! Payments as a player sees them.

use serde_json::{Value, json};

use super::{bank::Bank, client::Client, wait::wait_for};

/// Starts a payment for package 1: 100.00 BRL for 1,100 coins.
pub(crate) async fn create_payment(player: &Client) -> Value {
    player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await.result()
}

/// Starts a payment for package 1 and pays it exactly.
pub(crate) async fn paid_payment(bank: &Bank, player: &Client) -> Value {
    let payment = create_payment(player).await;
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(player, payment_id(&payment), "paid").await;
    payment
}

pub(crate) fn payment_id(payment: &Value) -> &str {
    payment["payment_id"].as_str().unwrap()
}

/// The text of the payment's QR code.
pub(crate) fn payload(payment: &Value) -> &str {
    payment["payload"].as_str().unwrap()
}

/// Waits until the payment has this status, and returns it.
pub(crate) async fn wait_for_status(client: &Client, payment_id: &str, status: &str) -> Value {
    let path = format!("/payments/{payment_id}");
    wait_for(&format!("the payment is {status}"), async || {
        let payment = client.get(&path).await.ok();
        (payment["status"] == status).then_some(payment)
    })
    .await
}

pub(crate) async fn coin_balance(player: &Client) -> i64 {
    player.get("/accounts/me").await.ok()["coins"].as_i64().unwrap()
}
