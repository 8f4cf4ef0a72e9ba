//! Offers that everybody wants, all at once, and of which there are too few.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use anyhow::{Context, bail, ensure};
use rand::seq::IndexedRandom;
use reqwest::Method;
use serde_json::{Value, json};

use super::{cell::Cell, shop::Offer, site::Site};
use crate::client::{Answer, Client};

/// Of each offer: few are gone at once, many last for a while.
const PIECES: [i64; 3] = [10, 100, 1000];

pub(super) struct Rare {
    /// As it was when nothing had been sold.
    offer: Offer,
    sold: AtomicI64,
    /// Somebody was told that there is none left.
    gone: AtomicBool,
}

impl Rare {
    /// # Errors
    /// When the merchant may not.
    pub(super) async fn on_sale(merchant: &Client) -> anyhow::Result<Vec<Self>> {
        let category = json!({ "name": "Rare", "description": "", "position": 2, "hidden": false });
        let category = merchant.post("/shop/category/create", category).await?;
        let category_id = category["result"]["category_id"].as_i64().context("no category_id")?;
        let mut all = Vec::new();
        for pieces in PIECES {
            let name = format!("One of {pieces}");
            let mut offer = Offer { id: Value::Null, name, price: 1, stock: pieces };
            let created = merchant.post("/shop/item/create", offer.body(category_id)).await?;
            offer.id = created["result"]["offer_id"].clone();
            all.push(Self { offer, sold: AtomicI64::new(0), gone: AtomicBool::new(false) });
        }
        Ok(all)
    }

    /// When all is at rest: what is left is what was not sold.
    ///
    /// # Errors
    /// When it is not.
    pub(super) async fn compare(&self, site: &Site) -> anyhow::Result<()> {
        let Self { offer: Offer { stock: pieces, .. }, sold, gone } = self;
        let offer = site.nobody.get(&self.offer.path()).await?;
        let (sold, gone) = (sold.load(Ordering::Relaxed), gone.load(Ordering::Relaxed));
        println!("of {pieces} pieces of a rare offer {sold} were sold");
        ensure!(
            offer["stock"] == pieces - sold,
            "lost: of {pieces} pieces {sold} were sold, and left are {offer}"
        );
        ensure!(
            !gone || sold == *pieces,
            "wrong: of {pieces} pieces {sold} were sold, and somebody was told of none left"
        );
        Ok(())
    }
}

impl Cell {
    /// One piece of one of them, if there is any: everybody is so eager as to ask twice.
    pub(super) async fn purchase_rare(&mut self) -> anyhow::Result<()> {
        let who = self.someone();
        let rare = self.site.rare.choose(&mut self.random).context("nothing is rare")?;
        let player = &mut self.players[who];
        let line = json!({ "offer_id": rare.offer.id, "quantity": 1 });
        let body = json!({ "character_name": player.character, "lines": [line] });
        let answer = player.client.ask_twice(Method::POST, "/shop/purchase", &body).await?;
        let Answer { status, body: bought } = &answer;
        match answer.code() {
            "" if status.is_success() && player.balance >= rare.offer.price => {
                rare.sold.fetch_add(1, Ordering::Relaxed);
                player.has_bought(rare.offer.price, &bought["result"])?;
            }
            "out_of_stock" => rare.gone.store(true, Ordering::Relaxed),
            "not_enough_coins" if player.balance < rare.offer.price => {}
            _ => bail!("wrong: {} coins, and {body} is answered {status} {bought}", player.balance),
        }
        self.see_balance(&self.players[who]).await
    }
}
