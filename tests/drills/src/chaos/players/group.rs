//! A group of players and everything that they own. A group acts sequentially, so that each response and each read
//! is known in advance.

use std::sync::Arc;

use anyhow::Context;
use guildhall_testkit::http::registration;
use http::Method;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::state::{Guild, NewsPost, Offer, Player};
use crate::chaos::site::ChaosSite;

pub(super) const PLAYERS: usize = 3;

const PASSWORD: &str = "correct horse battery";

pub(in crate::chaos) struct PlayerGroup {
    pub site: Arc<ChaosSite>,
    pub random: StdRng,
    /// Letters that no other group has.
    pub name: String,
    pub players: Vec<Player>,
    pub guild: Option<Guild>,
    pub category_id: i64,
    pub offers: Vec<Offer>,
    pub posts: Vec<NewsPost>,
    /// The number of names made so far.
    name_count: usize,
}

impl PlayerGroup {
    /// Registers the accounts, creates characters of a high level, and creates a category of the shop.
    ///
    /// # Errors
    /// When the site refuses a command.
    pub(in crate::chaos) async fn create(
        site: Arc<ChaosSite>,
        number: usize,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let name = letters(number);
        let mut players = Vec::new();
        for player in 0..PLAYERS {
            players.push(register_player(&site, &name, player).await?);
        }
        let character = |player: &Player| json!({ "name": player.character, "level": 100, "vocation": "Knight", "online": false, "account_id": player.account_id });
        let characters: Vec<Value> = players.iter().map(character).collect();
        site.game.call(Method::PUT, "/game/characters", &json!({ "characters": characters })).await?;
        let category = json!({ "name": format!("{}Wares", prefix(&name)), "description": "", "position": 1, "hidden": false });
        let category = site.merchant.post("/shop/category/create", category).await?;
        let category_id = category["result"]["category_id"].as_i64().context("no category_id")?;
        Ok(Self {
            random: StdRng::seed_from_u64(seed ^ (number as u64) << 32),
            site,
            name,
            players,
            guild: None,
            category_id,
            offers: vec![],
            posts: vec![],
            name_count: 0,
        })
    }

    /// A group that cannot act.
    #[cfg(test)]
    pub(in crate::chaos) fn without_players(site: Arc<ChaosSite>, name: &str, seed: u64) -> Self {
        Self {
            random: StdRng::seed_from_u64(seed),
            site,
            name: name.to_owned(),
            players: vec![],
            guild: None,
            category_id: 1,
            offers: vec![],
            posts: vec![],
            name_count: 0,
        }
    }

    /// A violation with the name of this group.
    pub(in crate::chaos) fn describe(&self, violation: &anyhow::Error) -> String {
        format!("{violation:#} (of {}…)", self.prefix())
    }

    /// The index of a random player.
    pub(super) fn random_player(&mut self) -> usize {
        self.random.random_range(0..PLAYERS)
    }

    /// A new name of letters only.
    pub(super) fn new_name(&mut self) -> String {
        self.name_count += 1;
        self.prefix() + &capitalize(&letters(self.name_count))
    }

    /// The beginning of all names of this group. No other group uses it.
    pub(in crate::chaos) fn prefix(&self) -> String {
        prefix(&self.name)
    }
}

async fn register_player(site: &ChaosSite, group: &str, number: usize) -> anyhow::Result<Player> {
    let account = format!("drill_{group}_{number}");
    let body = registration(&account, PASSWORD);
    let registered = site.anonymous.post("/accounts/register", body).await?;
    let account_id = registered["result"]["account_id"].as_i64().context("no account_id")?;
    let client = site.anonymous.log_in(&account, PASSWORD).await?;
    let character = prefix(group) + &capitalize(&letters(number));
    client.post("/accounts/create-character", json!({ "name": character, "vocation": "Knight" })).await?;
    Ok(Player { client, account_id, character, balance: 0, deliveries: vec![], payments: vec![] })
}

fn prefix(name: &str) -> String {
    format!("Drill {} ", capitalize(name))
}

/// A number in letters: a, b, …, z, ba, bb, …
pub(in crate::chaos) fn letters(mut number: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'a' + (number % 26) as u8);
        number /= 26;
        if number == 0 {
            break;
        }
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

fn capitalize(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
