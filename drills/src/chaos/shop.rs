//! A merchant's offers, and what players buy of them.

use anyhow::Context;
use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::cell::{Cell, Must, Player, ask, miss, see};

/// Offers that a cell keeps at a time.
const OFFERS: usize = 4;

pub(super) struct Offer {
    pub id: Value,
    pub name: String,
    pub price: i64,
    /// Pieces left.
    pub stock: i64,
}

impl Offer {
    pub(super) fn path(&self) -> String {
        format!("/shop/item/find{}", self.id)
    }

    pub(super) fn body(&self, category_id: i64) -> Value {
        json!({
            "category_id": category_id, "name": self.name, "description": "", "price": self.price, "position": 1,
            "grants": [{ "kind": "item", "id": "2920", "count": 1 }], "hidden": false, "stock": self.stock,
        })
    }
}

impl Player {
    /// For so many coins, what the result of a purchase tells.
    pub(super) fn has_bought(&mut self, coins: i64, purchased: &Value) -> anyhow::Result<()> {
        self.balance -= coins;
        let delivery_id = purchased["deliveries"][0]["delivery_id"].as_str();
        self.deliveries.push(delivery_id.context("a purchase without a delivery")?.to_owned());
        Ok(())
    }
}

impl Cell {
    pub(super) async fn act_in_shop(&mut self) -> anyhow::Result<()> {
        let which = self.random.random_range(0..OFFERS);
        match self.random.random_range(0..8) {
            _ if which >= self.offers.len() => self.create_offer().await,
            0 => {
                let offer = self.offers.swap_remove(which);
                let path = format!("/shop/item/destroy/{}", offer.id);
                ask(&self.site.merchant, Method::DELETE, &path, Value::Null, Must::Succeed).await?;
                miss(&self.site.nobody, &offer.path()).await
            }
            1 => {
                let taken = self.offers[which].body(self.category_id);
                let must = Must::BeRefused("offer_name_taken");
                ask(&self.site.merchant, Method::POST, "/shop/item/create", taken, must).await?;
                self.see_offer(&self.offers[which]).await
            }
            _ => {
                let (price, stock) = (self.random.random_range(1..50), self.random.random_range(0..20));
                let offer = &mut self.offers[which];
                (offer.price, offer.stock) = (price, stock);
                let mut body = offer.body(self.category_id);
                body["offer_id"] = offer.id.clone();
                ask(&self.site.merchant, Method::PUT, "/shop/item/update", body, Must::Succeed).await?;
                self.see_offer(&self.offers[which]).await
            }
        }
    }

    async fn create_offer(&mut self) -> anyhow::Result<()> {
        let mut offer = Offer {
            id: Value::Null,
            name: self.new_name(),
            price: self.random.random_range(1..50),
            stock: self.random.random_range(0..20),
        };
        let body = offer.body(self.category_id);
        let created =
            ask(&self.site.merchant, Method::POST, "/shop/item/create", body, Must::Succeed).await?;
        offer.id = created["offer_id"].clone();
        self.see_offer(&offer).await?;
        self.offers.push(offer);
        Ok(())
    }

    pub(super) async fn see_offer(&self, offer: &Offer) -> anyhow::Result<()> {
        let expected = json!({ "name": offer.name, "price": offer.price, "stock": offer.stock });
        see(&self.site.nobody, &offer.path(), &expected).await.map(drop)
    }

    pub(super) async fn purchase(&mut self) -> anyhow::Result<()> {
        if self.offers.is_empty() {
            return self.create_offer().await;
        }
        let who = self.someone();
        let which = self.random.random_range(0..self.offers.len());
        let quantity = self.random.random_range(1..4);
        let offer = &mut self.offers[which];
        let player = &mut self.players[who];
        let coins = offer.price * quantity;
        let must = match (quantity > offer.stock, coins > player.balance) {
            (true, _) => Must::BeRefused("out_of_stock"),
            (_, true) => Must::BeRefused("not_enough_coins"),
            _ => Must::Succeed,
        };
        let line = json!({ "offer_id": offer.id, "quantity": quantity });
        let body = json!({ "character_name": player.character, "lines": [line] });
        let bought = ask(&player.client, Method::POST, "/shop/purchase", body, must).await?;
        if must == Must::Succeed {
            offer.stock -= quantity;
            player.has_bought(coins, &bought)?;
        }
        self.see_offer(&self.offers[which]).await?;
        self.see_balance(&self.players[who]).await
    }

    pub(super) async fn see_balance(&self, player: &Player) -> anyhow::Result<()> {
        see(&player.client, "/accounts/me", &json!({ "coins": player.balance })).await.map(drop)
    }
}
