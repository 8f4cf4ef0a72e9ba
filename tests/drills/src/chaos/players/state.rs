//! The state that a player group expects of the site: its players, guild, offers and posts.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use anyhow::Context;
use serde_json::{Value, json};

use crate::client::RetryingClient;

/// An account with one character.
pub(in crate::chaos) struct Player {
    pub client: RetryingClient,
    pub account_id: i64,
    pub character: String,
    /// The balance in coins.
    pub balance: i64,
    /// The ids of all deliveries, in the order of the purchases.
    pub deliveries: Vec<String>,
    /// The times of recent payments.
    pub payments: Vec<Instant>,
}

impl Player {
    /// Books a purchase: its price and the result of the command.
    pub(in crate::chaos) fn record_purchase(&mut self, coins: i64, purchase: &Value) -> anyhow::Result<()> {
        self.balance -= coins;
        let delivery_id = purchase["deliveries"][0]["delivery_id"].as_str();
        self.deliveries.push(delivery_id.context("a purchase without a delivery")?.to_owned());
        Ok(())
    }
}

pub(in crate::chaos) struct Guild {
    pub id: Value,
    pub name: String,
    /// The index of a player.
    pub leader: usize,
    /// The rank of each member, by the index of the player.
    pub members: BTreeMap<usize, &'static str>,
    pub invited: BTreeSet<usize>,
    pub motd: String,
}

impl Guild {
    pub(in crate::chaos) fn path(&self) -> String {
        format!("/guild/view/{}", self.name.replace(' ', "%20"))
    }
}

pub(in crate::chaos) struct Offer {
    pub id: Value,
    pub name: String,
    pub price: i64,
    pub stock: i64,
    pub version: Value,
}

impl Offer {
    pub(in crate::chaos) fn path(&self) -> String {
        format!("/shop/item/find{}", self.id)
    }

    /// The address of a file, which the drill does not have. It changes with the price.
    pub(in crate::chaos) fn picture(&self) -> String {
        format!("/pictures/{}.png", self.price)
    }

    /// The body of an edit.
    pub(in crate::chaos) fn edit(&self, category_id: i64) -> Value {
        let mut body = self.body(category_id);
        if let Some(fields) = body.as_object_mut() {
            fields.remove("stock");
            fields.insert("no_account_limit".to_owned(), json!(true));
            fields.insert("offer_id".to_owned(), self.id.clone());
            fields.insert("expected_version".to_owned(), self.version.clone());
        }
        body
    }

    pub(in crate::chaos) fn body(&self, category_id: i64) -> Value {
        json!({
            "category_id": category_id, "name": self.name, "description": "", "picture": self.picture(), "price": self.price,
            "grants": [{ "kind": "item", "id": "2920", "count": 1 }], "position": 1, "hidden": false, "stock": self.stock,
        })
    }
}

pub(in crate::chaos) struct NewsPost {
    pub id: Value,
    pub title: String,
    pub version: Value,
}
