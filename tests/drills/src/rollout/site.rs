//! The site of a rollout: two apis, two workers, and what the cells need of it.

use std::sync::Arc;

use anyhow::Context;
use guildhall_testkit::environment::setting;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{
    apis::TwoApis,
    promise::Promise,
    record::Record,
    recorded_client::{Credential, KeyedChange, RecordedClient},
};
use crate::{
    client::RetryingClient,
    process::{Part, Process},
    stack::Stack,
};

pub(super) struct RolloutSite {
    pub apis: Arc<TwoApis>,
    pub record: Arc<Record>,
    pub database: PgPool,
    pub bank: RetryingClient,
    /// An offer for one coin.
    pub offer_id: Value,
    /// The game server. Its requests are not checked.
    game: RetryingClient,
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

impl RolloutSite {
    /// Creates the offer.
    ///
    /// # Errors
    /// When the site refuses it.
    pub(super) async fn from_environment() -> anyhow::Result<Self> {
        let apis = Arc::new(TwoApis::from_environment()?);
        let anonymous = RetryingClient::new(apis.0[0].address());
        let (_, game) = Stack::credential("game")?;
        let mut site = Self {
            record: Arc::default(),
            database: PgPool::connect(&setting("GUILDHALL_DATABASE_URL")?).await?,
            bank: RetryingClient::new(&setting("GUILDHALL_SANDBOX_LISTEN")?),
            offer_id: Value::Null,
            game: anonymous.with_token("game", game),
            apis,
        };
        let (name, password) = Stack::credential("merchant")?;
        let mut merchant = site.log_in(&name, &password).await?;
        let promise = Promise::everything();
        let category = json!({ "name": "Rollout", "description": "", "position": 9, "hidden": false });
        let (category, _) =
            merchant.change(&KeyedChange::new("/shop/category/create", category), &promise).await?;
        let offer = json!({
            "category_id": category["category_id"], "name": "A coin's worth", "description": "", "price": 1,
            "position": 1, "grants": [{ "kind": "item", "id": "2920", "count": 1 }], "hidden": false, "stock": 1_000_000,
        });
        let (offer, _) = merchant.change(&KeyedChange::new("/shop/item/create", offer), &promise).await?;
        site.offer_id = offer["offer_id"].clone();
        Ok(site)
    }

    pub(super) fn client(&self, credential: Credential) -> RecordedClient {
        RecordedClient::new(&self.apis, &self.record, credential)
    }

    /// # Errors
    /// When the log-in is refused.
    pub(super) async fn log_in(&self, name: &str, password: &str) -> anyhow::Result<RecordedClient> {
        let log_in = json!({ "login": name, "password": password });
        let (access_token, refresh_token) = (String::new(), String::new());
        let mut client = self.client(Credential::Session { log_in, access_token, refresh_token });
        client.log_in().await?;
        Ok(client)
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
