//! A few players who know each other, and all that they have: what they do, they do one after the other, so it is
//! known what each request must be answered and what every read must show.

use std::{sync::Arc, time::Instant};

use anyhow::{Context, bail, ensure};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{guild::Guild, lists::Shown, news::Post, shop::Offer, site::Site};
use crate::client::{Answer, Client};

pub(super) const PLAYERS: usize = 3;

/// Of the changes, so many are sent twice at once.
const TWICE: f64 = 1.0 / 16.0;

/// Somebody with one character.
pub(super) struct Player {
    pub client: Client,
    pub character: String,
    /// Coins.
    pub balance: i64,
    /// Ids of what was bought.
    pub deliveries: Vec<String>,
    /// When coins were bought, lately.
    pub payments: Vec<Instant>,
}

pub(super) struct Cell {
    pub site: Arc<Site>,
    pub random: StdRng,
    /// In letters; no other cell has it.
    pub name: String,
    pub players: Vec<Player>,
    pub guild: Option<Guild>,
    pub category_id: i64,
    pub offers: Vec<Offer>,
    pub posts: Vec<Post>,
    /// Of names given so far.
    named: usize,
}

/// What a request must be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Must {
    Succeed,
    /// With this code.
    BeRefused(&'static str),
}

impl Cell {
    /// Opens the accounts, with grown characters, and a category in the shop.
    ///
    /// # Errors
    /// When the site does not do it.
    pub(super) async fn found(site: Arc<Site>, number: usize, seed: u64) -> anyhow::Result<Self> {
        let name = letters(number);
        let mut players = Vec::new();
        for player in 0..PLAYERS {
            let account = format!("drill_{name}_{player}");
            let register =
                json!({ "name": account, "email": format!("{account}@example.org"), "password": PASSWORD });
            site.nobody.post("/accounts/register", register).await?;
            let client = site.nobody.logged_in(&account, PASSWORD).await?;
            let character = prefix(&name) + &capital(&letters(player));
            client
                .post("/accounts/create-character", json!({ "name": character, "vocation": "Knight" }))
                .await?;
            players.push(Player { client, character, balance: 0, deliveries: vec![], payments: vec![] });
        }
        let grown = |player: &Player| json!({ "name": player.character, "level": 100, "vocation": "Knight", "online": false });
        let characters: Vec<Value> = players.iter().map(grown).collect();
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
            named: 0,
        })
    }

    /// One thing that these people do, and a look at what came of it.
    ///
    /// # Errors
    /// When an answer is not as it must be, or a read does not show it.
    pub(super) async fn act(&mut self) -> anyhow::Result<()> {
        match self.random.random_range(0..100) {
            0..45 => self.act_in_guild().await?,
            45..60 => self.act_in_shop().await?,
            60..72 => self.act_in_news().await?,
            72..76 => self.buy_coins().await?,
            76..79 => self.purchase_rare().await?,
            _ => self.purchase().await?,
        }
        if self.random.random_bool(0.25) { self.look_around().await } else { Ok(()) }
    }

    /// All of it once more.
    ///
    /// # Errors
    /// When a read does not show what was answered.
    pub(super) async fn look_at_everything(&self, shown: &Shown) -> anyhow::Result<()> {
        self.see_guild().await?;
        for offer in &self.offers {
            self.see_offer(offer).await?;
        }
        for post in &self.posts {
            self.see_post(post).await?;
        }
        for player in &self.players {
            self.see_balance(player).await?;
        }
        self.see_lists(shown).await
    }

    /// What went wrong, and with whom.
    pub(super) fn told(&self, violation: &anyhow::Error) -> String {
        format!("{violation:#} (of {}…)", self.prefix())
    }

    pub(super) fn someone(&mut self) -> usize {
        self.random.random_range(0..PLAYERS)
    }

    /// A name that nothing had before: letters only.
    pub(super) fn new_name(&mut self) -> String {
        self.named += 1;
        self.prefix() + &capital(&letters(self.named))
    }

    /// With this begins whatever this cell gives a name, and nothing else.
    pub(super) fn prefix(&self) -> String {
        prefix(&self.name)
    }
}

fn prefix(name: &str) -> String {
    format!("Drill {} ", capital(name))
}

/// Asks, and answers the result of what must succeed.
///
/// # Errors
/// When it is answered something else.
pub(super) async fn ask(
    client: &Client,
    method: Method,
    path: &str,
    body: Value,
    must: Must,
) -> anyhow::Result<Value> {
    let asked = match rand::random_bool(TWICE) {
        true => client.ask_twice(method.clone(), path, &body).await,
        false => client.ask(method.clone(), path, &body).await,
    };
    let answer = asked?;
    match must {
        Must::Succeed if answer.status.is_success() => Ok(answer.body["result"].clone()),
        Must::BeRefused(code) if !answer.status.is_success() && answer.code() == code => Ok(Value::Null),
        _ => bail!(
            "wrong: {method} {path} {body} must {must:?}, and is answered {} {}",
            answer.status,
            answer.body
        ),
    }
}

/// What is asked: by whom, where, with which body.
pub(super) type Asked<'a> = (&'a Client, &'a str, Value);

/// Asks both at once: one succeeds, and tells its result; the other, whichever that is, is refused with this code.
///
/// # Errors
/// When both are answered the same, or one otherwise.
pub(super) async fn race(one: Asked<'_>, other: Asked<'_>, code: &str) -> anyhow::Result<(usize, Value)> {
    let ask = async |(client, path, body): &Asked<'_>| client.ask(Method::POST, path, body).await;
    let (first, second) = tokio::join!(ask(&one), ask(&other));
    let (first, second) = (first?, second?);
    let won = |winner: &Answer, loser: &Answer| winner.status.is_success() && loser.code() == code;
    match (won(&first, &second), won(&second, &first)) {
        (true, _) => Ok((0, first.body["result"].clone())),
        (_, true) => Ok((1, second.body["result"].clone())),
        _ => bail!(
            "duplicated: of {} {} and {} {} one must succeed, and the other be refused {code}; they are answered {first:?} and {second:?}",
            one.1,
            one.2,
            other.1,
            other.2
        ),
    }
}

/// Reads, and compares the fields that are known; answers all of them.
///
/// # Errors
/// When one is another, or it is not there.
pub(super) async fn see(client: &Client, path: &str, expected: &Value) -> anyhow::Result<Value> {
    let Answer { status, body } = client.ask(Method::GET, path, &Value::Null).await?;
    ensure!(status == StatusCode::OK, "stale: {path} must show {expected}, and is answered {status} {body}");
    for (field, value) in expected.as_object().into_iter().flatten() {
        ensure!(
            body[field] == *value,
            "stale: {path} must show {field} {value}, and shows {}: {body}",
            body[field]
        );
    }
    Ok(body)
}

/// Reads what must not be there.
///
/// # Errors
/// When it is.
pub(super) async fn miss(client: &Client, path: &str) -> anyhow::Result<()> {
    let Answer { status, body } = client.ask(Method::GET, path, &Value::Null).await?;
    ensure!(status == StatusCode::NOT_FOUND, "stale: {path} must be gone, and is answered {status} {body}");
    Ok(())
}

const PASSWORD: &str = "correct horse battery";

/// A number in letters: a, b, …, z, ba, bb, …
pub(super) fn letters(mut number: usize) -> String {
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

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
