//! Offers with too few pieces for all players, who buy them at the same time.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::players::state::Offer;
use crate::client::RetryingClient;

/// The stock of each offer: the first is sold out quickly, the last one later.
const STOCKS: [i64; 3] = [10, 100, 1000];

pub(super) struct LimitedOffer {
    /// The offer before the first sale.
    pub offer: Offer,
    sold: AtomicI64,
    /// Whether a purchase was refused because the offer is sold out.
    is_sold_out: AtomicBool,
}

impl LimitedOffer {
    /// Creates one offer for each stock.
    ///
    /// # Errors
    /// When the merchant may not create it.
    pub(super) async fn create_all(merchant: &RetryingClient) -> anyhow::Result<Vec<Self>> {
        let category = json!({ "name": "Rare", "description": "", "position": 2, "hidden": false });
        let category = merchant.post("/shop/category/create", category).await?;
        let category_id = category["result"]["category_id"].as_i64().context("no category_id")?;
        let mut offers = Vec::new();
        for stock in STOCKS {
            let name = format!("One of {stock}");
            let mut offer = Offer { id: Value::Null, name, price: 1, stock, version: Value::Null };
            let created = merchant.post("/shop/item/create", offer.body(category_id)).await?;
            offer.id = created["result"]["offer_id"].clone();
            offers.push(Self { offer, sold: AtomicI64::new(0), is_sold_out: AtomicBool::new(false) });
        }
        Ok(offers)
    }

    pub(super) fn record_sale(&self) {
        self.sold.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn record_sold_out(&self) {
        self.is_sold_out.store(true, Ordering::Relaxed);
    }

    /// At rest, the remaining stock is the initial stock minus the sold pieces.
    ///
    /// # Errors
    /// When it is not.
    pub(super) async fn check(&self, anonymous: &RetryingClient) -> anyhow::Result<()> {
        let stock = self.offer.stock;
        let offer = anonymous.get(&self.offer.path()).await?;
        let (sold, is_sold_out) =
            (self.sold.load(Ordering::Relaxed), self.is_sold_out.load(Ordering::Relaxed));
        println!("{sold} of {stock} pieces of a limited offer were sold");
        ensure!(
            offer["stock"] == stock - sold,
            "lost: {sold} of {stock} pieces were sold, but the offer is {offer}"
        );
        ensure!(
            !is_sold_out || sold == stock,
            "wrong: {sold} of {stock} pieces were sold, but a purchase was refused as out of stock"
        );
        Ok(())
    }
}
