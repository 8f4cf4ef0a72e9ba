//! Coins that are paid for, and a game server that hands out what is bought with them.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use rand::RngExt;
use reqwest::Method;
use serde_json::json;
use tokio::time::sleep;

use super::{
    cell::{Cell, Must, ask},
    site::Site,
};
use crate::{
    client::{items, text},
    payments::pay,
};

/// A bank that dies may forget to notify; then the site asks it within a minute.
const PAID_WITHIN: Duration = Duration::from_secs(150);

/// Payments that an account may ask for, less some that a drill does not come near to.
const IN_AN_HOUR: usize = 55;
const AN_HOUR: Duration = Duration::from_secs(3600);

/// For how long a delivery is the game server's that has fetched it.
pub(super) const LEASE: Duration = Duration::from_secs(5);

impl Cell {
    pub(super) async fn buy_coins(&mut self) -> anyhow::Result<()> {
        let who = self.someone();
        let coins = self.random.random_range(100..500);
        let lately = &mut self.players[who].payments;
        lately.retain(|bought| bought.elapsed() < AN_HOUR);
        if lately.len() >= IN_AN_HOUR {
            return Ok(());
        }
        lately.push(Instant::now());
        let player = &self.players[who];
        let body = json!({ "coins": coins });
        let asked =
            ask(&player.client, Method::POST, "/payments/instant/qrcode", body, Must::Succeed).await?;
        let payment_id = asked["payment_id"].as_str().context("no payment_id")?;
        let payload = asked["payload"].as_str().context("no payload")?;
        pay(&self.site.bank, payment_id, payload).await?;
        let began = Instant::now();
        loop {
            let payment = player.client.get(&format!("/payments/{payment_id}")).await?;
            if payment["status"] == "paid" {
                break;
            }
            ensure!(
                began.elapsed() < PAID_WITHIN,
                "lost: paid, and after {PAID_WITHIN:?} it still is {payment}"
            );
            sleep(Duration::from_millis(100)).await;
        }
        self.players[who].balance += coins;
        self.see_balance(&self.players[who]).await
    }
}

/// What is still handed out for so long after it shall stop never ends.
const HANDED_OUT_WITHIN: Duration = Duration::from_secs(60);

/// Hands out what was bought until it shall stop and nothing is left, and counts how often each delivery was.
///
/// # Errors
/// When the site refuses what it must not, or there is always something left.
pub(super) async fn game_server(
    site: &Site,
    stop: &AtomicBool,
    given: &mut HashMap<String, usize>,
) -> anyhow::Result<()> {
    let fetch = format!("/game/deliveries?limit=100&wait=1&lease={}", LEASE.as_secs());
    let mut stopping = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            stopping.get_or_insert_with(Instant::now);
        }
        let leased = site.game.get(&fetch).await?;
        let ids = items(&leased)?.iter().map(|it| text(&it["delivery_id"])).collect::<Result<Vec<_>, _>>()?;
        match stopping {
            Some(_) if ids.is_empty() => return Ok(()),
            Some(since) => ensure!(
                since.elapsed() < HANDED_OUT_WITHIN,
                "duplicated: after {HANDED_OUT_WITHIN:?} there still is something to hand out: {ids:?}"
            ),
            None if ids.is_empty() => continue,
            None => {}
        }
        for id in &ids {
            *given.entry((*id).to_owned()).or_default() += 1;
        }
        // Twice, as one that does not know whether it has done so.
        for _ in 0..2 {
            let acknowledged = site.game.post("/game/deliveries/ack", json!({ "delivery_ids": ids })).await?;
            ensure!(acknowledged["status"] == "applied", "wrong: {acknowledged}");
        }
    }
}
