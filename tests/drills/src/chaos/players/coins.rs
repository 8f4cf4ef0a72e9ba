//! Purchases of coins.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use http::Method;
use rand::RngExt;
use serde_json::json;
use tokio::time::sleep;

use super::{
    group::PlayerGroup,
    requests::{Expected, change},
};
use crate::{bank::pay, client::RetryingClient};

/// The time limit until a payment is credited. A killed bank may lose its notification; the site asks the bank once a minute.
const CREDIT_TIME_LIMIT: Duration = Duration::from_secs(150);

/// The site allows an account 60 payments in an hour. A group stays below that.
const PAYMENTS_PER_HOUR: usize = 55;
const HOUR: Duration = Duration::from_secs(3600);

impl PlayerGroup {
    pub(super) async fn buy_coins(&mut self) -> anyhow::Result<()> {
        let index = self.random_player();
        let coins = self.random.random_range(100..500);
        let recent = &mut self.players[index].payments;
        recent.retain(|started| started.elapsed() < HOUR);
        if recent.len() >= PAYMENTS_PER_HOUR {
            return Ok(());
        }
        recent.push(Instant::now());
        let client = &self.players[index].client;
        let body = json!({ "coins": coins });
        let created =
            change(client, Method::POST, "/payments/instant/qrcode", body, Expected::Success).await?;
        let payment_id = created["payment_id"].as_str().context("no payment_id")?;
        let payload = created["payload"].as_str().context("no payload")?;
        pay(&self.site.bank, payment_id, payload).await?;
        wait_until_credited(client, payment_id).await?;
        self.players[index].balance += coins;
        self.check_balance(&self.players[index]).await
    }
}

async fn wait_until_credited(client: &RetryingClient, payment_id: &str) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let payment = client.get(&format!("/payments/{payment_id}")).await?;
        if payment["status"] == "paid" {
            return Ok(());
        }
        ensure!(
            started.elapsed() < CREDIT_TIME_LIMIT,
            "lost: paid, but not credited after {CREDIT_TIME_LIMIT:?}: {payment}"
        );
        sleep(Duration::from_millis(100)).await;
    }
}
