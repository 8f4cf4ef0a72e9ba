//! Purchases of limited offers.

use anyhow::{Context, bail};
use guildhall_testkit::http::Response;
use http::Method;
use rand::seq::IndexedRandom;
use serde_json::json;

use super::group::PlayerGroup;

impl PlayerGroup {
    /// Buys one piece of a random limited offer, with two requests at the same time.
    pub(super) async fn purchase_limited_offer(&mut self) -> anyhow::Result<()> {
        let index = self.random_player();
        let limited = self.site.limited_offers.choose(&mut self.random).context("no limited offers")?;
        let player = &mut self.players[index];
        let line = json!({ "offer_id": limited.offer.id, "quantity": 1 });
        let request = json!({ "character_name": player.character, "lines": [line] });
        let response = player.client.send_twice(Method::POST, "/shop/purchase", &request).await?;
        let Response { status, body, .. } = &response;
        match response.code() {
            "" if response.is_success() && player.balance >= limited.offer.price => {
                limited.record_sale();
                player.record_purchase(limited.offer.price, &body["result"])?;
            }
            "out_of_stock" => limited.record_sold_out(),
            "not_enough_coins" if player.balance < limited.offer.price => {}
            _ => bail!("wrong: with {} coins the response to {request} is {status} {body}", player.balance),
        }
        self.check_balance(&self.players[index]).await
    }
}
