//! Newcomers: one after the other registers, verifies the address, founds a guild, and deletes the account. Nothing may name them
//! afterwards.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{players::letters, site::Site};
use crate::client::Client;

/// A part of every name and address of a newcomer.
pub(super) const NAME: &str = "newcomer";

const PASSWORD: &str = "nine violet harbours";

/// The time for which a newcomer waits for a mail. The mail catcher loses its mails when it is killed.
const MAIL_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The time limit of a deletion whose grace period has ended: the lease of a job whose worker died, and its later attempts.
const DELETION_TIME_LIMIT: Duration = Duration::from_secs(150);

/// How many newcomers there were.
#[derive(Debug, Default)]
pub(super) struct Newcomers {
    pub(super) verified: usize,
    pub(super) deleted: usize,
}

/// Lets newcomers come and go until `stop` is set.
///
/// # Errors
/// When the site refuses a request, or an account is not deleted.
pub(super) async fn run(site: &Site, stop: &AtomicBool, newcomers: &mut Newcomers) -> anyhow::Result<()> {
    for number in 1.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let newcomer = Newcomer::register(site, number).await?;
        newcomers.verified += usize::from(newcomer.verify_email(site).await?);
        newcomer.found_guild(site).await?;
        newcomer.delete_account(site).await?;
        newcomers.deleted += 1;
    }
    Ok(())
}

struct Newcomer {
    account_id: i64,
    name: String,
    email: String,
    /// The name of the character and of the guild.
    title: String,
    /// Without a journal: the outcomes of a deleted account are erased.
    client: Client,
}

impl Newcomer {
    async fn register(site: &Site, number: usize) -> anyhow::Result<Self> {
        let name = format!("{NAME}_{number}");
        let email = format!("{name}@example.org");
        let account = json!({ "name": name, "email": email, "password": PASSWORD });
        let visitor = site.anonymous.without_journal();
        let registered = visitor.post("/accounts/register", account).await?;
        let account_id = registered["result"]["account_id"].as_i64().context("no account_id")?;
        let client = visitor.log_in(&name, PASSWORD).await?;
        Ok(Self { account_id, name, email, title: format!("Newcomer {}", letters(number)), client })
    }

    /// Verifies the address with the code of the mail. False if no mail arrives.
    async fn verify_email(&self, site: &Site) -> anyhow::Result<bool> {
        let started = Instant::now();
        while started.elapsed() < MAIL_TIME_LIMIT {
            let mails = site.bank.get(&format!("/sandbox/mails?to={}&wait=2", self.email)).await?;
            if let Some(code) = mails["mails"][0]["text"].as_str().and_then(code) {
                self.client.post("/accounts/verify-email-code", json!({ "code": code })).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn found_guild(&self, site: &Site) -> anyhow::Result<()> {
        let character = json!({ "name": self.title, "level": 100, "vocation": "Knight", "online": false, "account_id": self.account_id });
        let reported = json!({ "characters": [character] });
        site.game.call(Method::PUT, "/game/characters", &reported).await?;
        let guild = json!({ "name": self.title, "character_name": self.title });
        self.client.post("/guild/create-guild", guild).await.map(drop)
    }

    /// Deletes the account, and waits until the guild is not found and a log-in is refused.
    async fn delete_account(&self, site: &Site) -> anyhow::Result<()> {
        self.client.post("/accounts/delete", json!({ "password": PASSWORD })).await?;
        let started = Instant::now();
        while !self.is_deleted(site).await.unwrap_or(false) {
            ensure!(started.elapsed() < DELETION_TIME_LIMIT, "lost: the deletion of {}", self.name);
            sleep(Duration::from_millis(200)).await;
        }
        let visitor = site.anonymous.without_journal();
        let log_in = json!({ "login": self.name, "password": PASSWORD });
        let response = visitor.send(Method::POST, "/auth", &log_in).await?;
        ensure!(response.status == StatusCode::UNAUTHORIZED, "wrong: {} can log in: {response:?}", self.name);
        // The job invalidates the cache after its commit.
        let view = format!("/guild/view/{}", self.title.replace(' ', "%20"));
        while visitor.send(Method::GET, &view, &Value::Null).await?.status != StatusCode::NOT_FOUND {
            ensure!(started.elapsed() < DELETION_TIME_LIMIT, "stale: the guild of {} is shown", self.name);
            sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }

    /// Ends the grace period if it has not ended yet.
    async fn is_deleted(&self, site: &Site) -> sqlx::Result<bool> {
        sqlx::query(
            "update accounts set deletion_due_at = now() where account_id = $1 and deletion_due_at > now()",
        )
        .bind(self.account_id)
        .execute(&site.database)
        .await?;
        sqlx::query(
            "update jobs set due_at = now()
             where job = jsonb_build_object('name', 'delete_account', 'account_id', $1::bigint)
               and due_at > now() + interval '1 hour'",
        )
        .bind(self.account_id)
        .execute(&site.database)
        .await?;
        sqlx::query_scalar("select deleted_at is not null from accounts where account_id = $1")
            .bind(self.account_id)
            .fetch_one(&site.database)
            .await
    }
}

/// The code in the text of a mail: eight digits with a space in the middle.
fn code(text: &str) -> Option<String> {
    let is_code = |line: &&str| line.len() == 9 && line.bytes().filter(u8::is_ascii_digit).count() == 8;
    text.lines().map(str::trim).find(is_code).map(|line| line.replace(' ', ""))
}
