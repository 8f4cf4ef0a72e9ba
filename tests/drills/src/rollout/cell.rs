//! A cell: one account that acts sequentially, so each response is known in advance. Each change must succeed once, and
//! each repeated one must get its first result.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use guildhall_testkit::http::{registration, text};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    promise::Promise,
    recorded_client::{Credential, KeyedChange, RecordedClient},
    site::RolloutSite,
};
use crate::bank::pay;

const PASSWORD: &str = "correct horse battery";

/// The coins that a cell begins with. An offer costs one coin.
const COINS: i64 = 500;

/// The time limit until a payment is credited.
const CREDIT_TIME_LIMIT: Duration = Duration::from_secs(150);

/// The site allows an account 20 open payments. A cell pays only its first one.
const MAX_PAYMENTS: usize = 18;

/// A completed change.
struct Done {
    change: KeyedChange,
    sent: Instant,
    is_anonymous: bool,
    result: Value,
    operations: Vec<Uuid>,
}

pub(super) struct Cell {
    pub name: String,
    player: RecordedClient,
    anonymous: RecordedClient,
    character: String,
    guild_id: Value,
    offer_id: Value,
    balance: i64,
    payments: usize,
    done: Vec<Done>,
    /// The number of names made so far.
    names: u32,
    random: StdRng,
}

impl Cell {
    /// Registers an account with a character of a high level, a guild and coins.
    ///
    /// # Errors
    /// When the site refuses a request.
    pub(super) async fn open(site: &Arc<RolloutSite>, number: usize, seed: u64) -> anyhow::Result<Self> {
        let name = format!("cell{number}");
        let promise = Promise::everything();
        let mut anonymous = site.client(Credential::None);
        let account = registration(&name, PASSWORD);
        let (account, _) =
            anonymous.change(&KeyedChange::new("/accounts/register", account), &promise).await?;
        let mut player = site.log_in(&name, PASSWORD).await?;
        let character = format!("Cell {}", letters(number as u32));
        let body = json!({ "name": character, "vocation": "Knight" });
        player.change(&KeyedChange::new("/accounts/create-character", body), &promise).await?;
        site.raise_level(&account["account_id"], &character).await?;
        let body = json!({ "name": character, "character_name": character });
        let (guild, _) = player.change(&KeyedChange::new("/guild/create-guild", body), &promise).await?;
        let mut cell = Self {
            name,
            player,
            anonymous,
            character,
            guild_id: guild["guild_id"].clone(),
            offer_id: site.offer_id.clone(),
            balance: COINS,
            payments: 0,
            done: vec![],
            names: 0,
            random: StdRng::seed_from_u64(seed ^ (number as u64) << 32),
        };
        cell.buy_coins(site, &promise).await?;
        Ok(cell)
    }

    async fn buy_coins(&mut self, site: &RolloutSite, promise: &Promise) -> anyhow::Result<()> {
        let change = KeyedChange::new("/payments/instant/qrcode", json!({ "coins": COINS }));
        let (created, _) = self.player.change(&change, promise).await?;
        let payment_id = text(&created["payment_id"])?;
        pay(&site.bank, payment_id, text(&created["payload"])?).await?;
        let started = Instant::now();
        let path = format!("/payments/{payment_id}");
        while self.player.read(&path, promise).await?.body["status"] != "paid" {
            ensure!(started.elapsed() < CREDIT_TIME_LIMIT, "lost: {payment_id} was paid, but not credited");
            sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// The last requests and responses.
    pub(super) fn story(&self) -> impl Iterator<Item = &String> {
        self.player.story().chain(self.anonymous.story())
    }

    /// Does one random thing.
    ///
    /// # Errors
    /// When the site breaks a promise.
    pub(super) async fn act(&mut self, promise: &Promise) -> anyhow::Result<()> {
        match self.random.random_range(0..100) {
            0..15 => {
                let body = json!({ "name": self.new_name(), "vocation": "Knight" });
                self.change("/accounts/create-character", body, promise).await
            }
            15..35 if self.balance > 0 => {
                self.balance -= 1;
                let line = json!({ "offer_id": self.offer_id, "quantity": 1 });
                let body = json!({ "character_name": self.character, "lines": [line] });
                self.change("/shop/purchase", body, promise).await
            }
            35..48 => {
                let body = json!({ "guild_id": self.guild_id, "motd": self.new_name() });
                self.change("/guild/change-motd", body, promise).await
            }
            48..51 => self.register_another(promise).await,
            51..54 if self.payments < MAX_PAYMENTS => {
                self.payments += 1;
                self.change("/payments/instant/qrcode", json!({ "coins": 100 }), promise).await
            }
            54..64 => self.poll_earlier(promise).await,
            64..68 => {
                self.player.record.count("renewals");
                self.player.renew_tokens().await
            }
            68..76 => self.check_balance(promise).await,
            _ => self.repeat_earlier(promise).await,
        }
    }

    async fn change(&mut self, path: &'static str, body: Value, promise: &Promise) -> anyhow::Result<()> {
        let (change, sent) = (KeyedChange::new(path, body), Instant::now());
        let (result, operations) = self.player.change(&change, promise).await?;
        self.done.push(Done { change, sent, is_anonymous: false, result, operations });
        Ok(())
    }

    /// A change without a token.
    async fn register_another(&mut self, promise: &Promise) -> anyhow::Result<()> {
        self.names += 1;
        let name = format!("{}_{}", self.name, self.names);
        let body = registration(&name, PASSWORD);
        let (change, sent) = (KeyedChange::new("/accounts/register", body), Instant::now());
        let (result, operations) = self.anonymous.change(&change, promise).await?;
        self.done.push(Done { change, sent, is_anonymous: true, result, operations });
        Ok(())
    }

    async fn repeat_earlier(&mut self, promise: &Promise) -> anyhow::Result<()> {
        let known: Vec<_> =
            (0..self.done.len()).filter(|it| self.done[*it].sent >= promise.keys_from).collect();
        let Some(index) = known.choose(&mut self.random) else { return Ok(()) };
        let Done { change, is_anonymous, result, .. } = &self.done[*index];
        let client = if *is_anonymous { &mut self.anonymous } else { &mut self.player };
        client.record.count("keys repeated");
        let (repeated, _) = client.change(change, promise).await?;
        ensure!(
            repeated == *result,
            "duplicated: {}: {} had the result {result}, but repeated it has {repeated}",
            change.key,
            change.path
        );
        Ok(())
    }

    async fn poll_earlier(&mut self, promise: &Promise) -> anyhow::Result<()> {
        let known = self.done.iter().filter(|done| done.sent >= promise.operations_from);
        let known: Vec<_> = known.flat_map(|done| done.operations.iter().map(move |id| (id, done))).collect();
        let Some((id, done)) = known.choose(&mut self.random) else { return Ok(()) };
        let client = if done.is_anonymous { &mut self.anonymous } else { &mut self.player };
        client.record.count("operations polled");
        let operation = client.follow(**id, promise).await?;
        ensure!(
            operation.is_success() && operation.body["result"] == done.result,
            "lost: {id} had the result {}, but is {} now",
            done.result,
            operation.body
        );
        client.record.add(**id, done.change.key, &done.result)
    }

    /// Reads the account.
    ///
    /// # Errors
    /// When a purchase was lost or applied twice.
    pub(super) async fn check_balance(&mut self, promise: &Promise) -> anyhow::Result<()> {
        let account = self.player.read("/accounts/me", promise).await?;
        let coins = account.body["coins"].as_i64().with_context(|| format!("wrong: {}", account.body))?;
        ensure!(
            coins == self.balance,
            "duplicated: {} has {coins} coins instead of {}: {}",
            self.name,
            self.balance,
            account.body
        );
        Ok(())
    }

    /// A name of letters that no other cell uses.
    fn new_name(&mut self) -> String {
        self.names += 1;
        format!("{} {}", self.character, letters(self.names))
    }
}

/// A number in letters: A, B, …, Z, Ba, Bb, …
fn letters(mut number: u32) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            break;
        }
    }
    if let Some(first) = letters.last_mut() {
        first.make_ascii_uppercase();
    }
    letters.iter().rev().collect()
}
