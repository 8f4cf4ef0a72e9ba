//! Offers of a merchant, and purchases of players.

use http::Method;
use rand::RngExt;
use serde_json::{Value, json};

use super::{
    group::PlayerGroup,
    requests::{Expected, change, must_be_gone, must_show},
    state::{Offer, Player},
};

/// The number of offers that a group keeps.
const OFFERS: usize = 4;

impl PlayerGroup {
    pub(super) async fn act_in_shop(&mut self) -> anyhow::Result<()> {
        let index = self.random.random_range(0..OFFERS);
        match self.random.random_range(0..8) {
            _ if index >= self.offers.len() => self.create_offer().await,
            0 => {
                let offer = self.offers.swap_remove(index);
                let path = format!("/shop/item/destroy/{}", offer.id);
                change(&self.site.merchant, Method::DELETE, &path, Value::Null, Expected::Success).await?;
                must_be_gone(&self.site.anonymous, &offer.path()).await
            }
            1 => {
                let body = self.offers[index].body(self.category_id);
                let expected = Expected::Refusal("offer_name_taken");
                change(&self.site.merchant, Method::POST, "/shop/item/create", body, expected).await?;
                self.check_offer(&self.offers[index]).await
            }
            2 => self.change_stock(index).await,
            3 => {
                let mut body = self.offers[index].edit(self.category_id);
                body["expected_version"] = json!(1_000_000);
                let expected = Expected::Refusal("offer_changed");
                change(&self.site.merchant, Method::PUT, "/shop/item/update", body, expected).await?;
                self.check_offer(&self.offers[index]).await
            }
            _ => self.update_offer(index).await,
        }
    }

    async fn create_offer(&mut self) -> anyhow::Result<()> {
        let mut offer = Offer {
            id: Value::Null,
            name: self.new_name(),
            price: self.random.random_range(1..50),
            stock: self.random.random_range(0..20),
            version: Value::Null,
        };
        let body = offer.body(self.category_id);
        let created =
            change(&self.site.merchant, Method::POST, "/shop/item/create", body, Expected::Success).await?;
        (offer.id, offer.version) = (created["offer_id"].clone(), created["version"].clone());
        self.check_offer(&offer).await?;
        self.offers.push(offer);
        Ok(())
    }

    async fn update_offer(&mut self, index: usize) -> anyhow::Result<()> {
        let price = self.random.random_range(1..50);
        let offer = &mut self.offers[index];
        offer.price = price;
        let body = offer.edit(self.category_id);
        let edited =
            change(&self.site.merchant, Method::PUT, "/shop/item/update", body, Expected::Success).await?;
        offer.version = edited["version"].clone();
        self.check_offer(&self.offers[index]).await
    }

    /// Adds or removes pieces, or replaces the stock.
    async fn change_stock(&mut self, index: usize) -> anyhow::Result<()> {
        let (pieces, is_added) = (self.random.random_range(0..20), self.random.random_bool(0.5));
        let offer = &mut self.offers[index];
        let (body, stock) = if is_added {
            (json!({ "offer_id": offer.id, "change": pieces - offer.stock }), pieces)
        } else {
            (json!({ "offer_id": offer.id, "set": pieces, "expected_stock": offer.stock }), pieces)
        };
        change(&self.site.merchant, Method::POST, "/shop/item/change-stock", body, Expected::Success).await?;
        offer.stock = stock;
        self.check_offer(&self.offers[index]).await
    }

    pub(super) async fn check_offer(&self, offer: &Offer) -> anyhow::Result<()> {
        let expected = json!({
            "name": offer.name, "price": offer.price, "stock": offer.stock, "picture": offer.picture(),
        });
        must_show(&self.site.anonymous, &offer.path(), &expected).await.map(drop)
    }

    pub(super) async fn purchase(&mut self) -> anyhow::Result<()> {
        if self.offers.is_empty() {
            return self.create_offer().await;
        }
        let player_index = self.random_player();
        let offer_index = self.random.random_range(0..self.offers.len());
        let quantity = self.random.random_range(1..4);
        let offer = &mut self.offers[offer_index];
        let player = &mut self.players[player_index];
        let coins = offer.price * quantity;
        let expected = match (quantity > offer.stock, coins > player.balance) {
            (true, _) => Expected::Refusal("out_of_stock"),
            (_, true) => Expected::Refusal("not_enough_coins"),
            _ => Expected::Success,
        };
        let line = json!({ "offer_id": offer.id, "quantity": quantity, "expected_price": offer.price });
        let body = json!({ "character_name": player.character, "lines": [line] });
        let purchase = change(&player.client, Method::POST, "/shop/purchase", body, expected).await?;
        if expected == Expected::Success {
            offer.stock -= quantity;
            player.record_purchase(coins, &purchase)?;
        }
        self.check_offer(&self.offers[offer_index]).await?;
        self.check_balance(&self.players[player_index]).await
    }

    pub(super) async fn check_balance(&self, player: &Player) -> anyhow::Result<()> {
        must_show(&player.client, "/accounts/me", &json!({ "coins": player.balance })).await.map(drop)
    }
}
