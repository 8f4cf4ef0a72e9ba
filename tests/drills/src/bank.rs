//! Payments at the fake bank.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::json;
use tokio::time::sleep;

use crate::client::RetryingClient;

/// The time limit until the bank has taken the money.
const PAYMENT_TIME_LIMIT: Duration = Duration::from_secs(90);

/// Pays a charge as a payer does: without a response, the payer checks the charge before paying again.
///
/// # Errors
/// When the bank does not know the charge or does not respond.
pub(crate) async fn pay(bank: &RetryingClient, payment_id: &str, payload: &str) -> anyhow::Result<()> {
    let txid = payment_id.replace('-', "");
    let started = Instant::now();
    loop {
        let charge = &bank.get(&format!("/sandbox/charges?txid={txid}")).await?["charges"][0];
        ensure!(charge.is_object(), "lost: the bank does not know {payment_id}");
        if charge["status"] == "CONCLUIDA" {
            return Ok(());
        }
        ensure!(started.elapsed() < PAYMENT_TIME_LIMIT, "the bank does not take the payment of {payment_id}");
        bank.try_post("/sandbox/pay", json!({ "payload": payload })).await?;
        sleep(Duration::from_millis(50)).await;
    }
}
