//! The site of a rollout: two apis, two workers, and what the cells need of it.

use std::sync::Arc;

use anyhow::Context;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{
    apis::Apis,
    caller::{Caller, Change, Credential},
    promise::Promise,
    record::Record,
};
use crate::{
    client::Client,
    stack::{Part, Process, Stack},
};

pub(super) struct Site {
    pub apis: Arc<Apis>,
    pub record: Arc<Record>,
    pub database: PgPool,
    pub bank: Client,
    /// An offer for one coin.
    pub offer_id: Value,
    /// The game server. Its requests are not checked.
    game: Client,
}

/// Starts the second api and the second worker.
///
/// # Errors
/// When `./dev drill` did not start this process, or they do not respond.
pub(super) async fn start_stack() -> anyhow::Result<Stack> {
    let stack = Stack::from_environment()?;
    for part in [Part::Workers, Part::Api] {
        stack.start(Process { part, number: 2 }).await?;
    }
    Ok(stack)
}

impl Site {
    /// Creates the offer.
    ///
    /// # Errors
    /// When the site refuses it.
    pub(super) async fn from_environment() -> anyhow::Result<Self> {
        let apis = Arc::new(Apis::from_environment()?);
        let anonymous = Client::new(apis.0[0].address.clone());
        let (_, game) = Stack::credential("game")?;
        let mut site = Self {
            record: Arc::default(),
            database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
            bank: Client::new(Stack::setting("GUILDHALL_SANDBOX_LISTEN")?),
            offer_id: Value::Null,
            game: anonymous.with_token("game", game),
            apis,
        };
        let (name, password) = Stack::credential("merchant")?;
        let mut merchant = site.log_in(&name, &password).await?;
        let promise = Promise::everything();
        let category = json!({ "name": "Rollout", "description": "", "position": 9, "hidden": false });
        let (category, _) =
            merchant.change(&Change::new("/shop/category/create", category), &promise).await?;
        let offer = json!({
            "category_id": category["category_id"], "name": "A coin's worth", "description": "", "price": 1,
            "position": 1, "grants": [{ "kind": "item", "id": "2920", "count": 1 }], "hidden": false, "stock": 1_000_000,
        });
        let (offer, _) = merchant.change(&Change::new("/shop/item/create", offer), &promise).await?;
        site.offer_id = offer["offer_id"].clone();
        Ok(site)
    }

    pub(super) fn caller(&self, credential: Credential) -> Caller {
        Caller::new(&self.apis, &self.record, credential)
    }

    /// # Errors
    /// When the log-in is refused.
    pub(super) async fn log_in(&self, name: &str, password: &str) -> anyhow::Result<Caller> {
        let log_in = json!({ "login": name, "password": password });
        let (access_token, refresh_token) = (String::new(), String::new());
        let mut caller = self.caller(Credential::Session { log_in, access_token, refresh_token });
        caller.log_in().await?;
        Ok(caller)
    }

    /// Gives a character a level that may create a guild.
    ///
    /// # Errors
    /// When the site refuses it.
    pub(super) async fn raise_level(&self, account_id: &Value, character: &str) -> anyhow::Result<()> {
        let character = json!({
            "name": character, "level": 100, "vocation": "Knight", "online": false, "account_id": account_id,
        });
        let body = json!({ "characters": [character] });
        let response = self.game.send(Method::PUT, "/game/characters", &body).await?;
        let operation_id = response.body["operation_id"].as_str().context("no operation_id")?;
        // Its key is not repeated. Each operation needs one.
        self.record.add(operation_id.parse()?, uuid::Uuid::new_v4(), &response.body["result"])
    }
}
