//! Newcomers, one after the other. Each registers, verifies the address, reads a copy of the data, and sets a new password. Every
//! second one uses a second factor. Then the newcomer is suspended for a moment, founds a guild, and deletes the account. No row of the
//! database may name them afterwards.

mod newcomer;
mod second_factor;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use guildhall_testkit::mail_text;
use http::Method;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use self::{
    newcomer::{DELETION_TIME_LIMIT, Newcomer, POLL_INTERVAL},
    second_factor::use_second_factor,
};
use super::{players::letters, site::ChaosSite};

/// A part of every name and address of a newcomer.
pub(super) const NAME: &str = "newcomer";

const FIRST_PASSWORD: &str = "nine violet harbours";
const SECOND_PASSWORD: &str = "velvet compass orchard";

/// The time for which a newcomer waits for a mail. The mail catcher loses its mails when it is killed.
const MAIL_TIME_LIMIT: Duration = Duration::from_secs(10);

/// How many newcomers there were. Not each of them received each mail, or had a code that was accepted.
#[derive(Debug, Default, Serialize)]
pub(super) struct Newcomers {
    pub(super) with_verified_email: usize,
    pub(super) with_export: usize,
    pub(super) with_new_password: usize,
    pub(super) with_code_of_app: usize,
    pub(super) with_recovery_code: usize,
    pub(super) deleted: usize,
}

impl Newcomers {
    /// Whether each step of a life succeeded at least once.
    pub(super) fn are_complete(&self) -> bool {
        let with_mails = [self.with_verified_email, self.with_export, self.with_new_password];
        let others = [self.with_code_of_app, self.with_recovery_code, self.deleted];
        with_mails.iter().chain(&others).all(|count| *count > 0)
    }
}

/// Lets newcomers come and go until `stop` is set.
///
/// # Errors
/// When the site refuses a request, or an account is not deleted.
pub(super) async fn run(
    site: &ChaosSite,
    stop: &AtomicBool,
    newcomers: &mut Newcomers,
) -> anyhow::Result<()> {
    for number in 1.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut newcomer = Newcomer::register(site, number).await?;
        if newcomer.verify_email(site).await? {
            newcomers.with_verified_email += 1;
            newcomers.with_export += usize::from(newcomer.read_export(site).await?);
            newcomers.with_new_password += usize::from(newcomer.set_new_password(site).await?);
        }
        if number % 2 == 0 {
            let used = use_second_factor(&newcomer, site).await?;
            newcomers.with_code_of_app += usize::from(used.app);
            newcomers.with_recovery_code += usize::from(used.recovery);
        }
        newcomer.be_suspended(site).await?;
        newcomer.found_guild(site).await?;
        newcomer.delete_account(site).await?;
        newcomers.deleted += 1;
    }
    Ok(())
}

impl Newcomer {
    async fn register(site: &ChaosSite, number: usize) -> anyhow::Result<Self> {
        let name = format!("{NAME}_{number}");
        let email = format!("{name}@example.org");
        let account = json!({ "name": name, "email": email, "password": FIRST_PASSWORD });
        let visitor = site.anonymous.without_journal();
        let registered = visitor.post("/accounts/register", account).await?;
        let account_id = registered["result"]["account_id"].as_i64().context("no account_id")?;
        let client = visitor.log_in(&name, FIRST_PASSWORD).await?;
        let title = format!("Newcomer {}", letters(number));
        Ok(Self { account_id, name, email, password: FIRST_PASSWORD, title, client })
    }

    /// Verifies the address with the code of the mail. False if no mail arrives.
    async fn verify_email(&self, site: &ChaosSite) -> anyhow::Result<bool> {
        let Some(code) = self.find_in_mails(site, mail_text::code).await? else { return Ok(false) };
        let code = json!({ "code": code });
        self.client.post("/accounts/verify-email-code", code).await?;
        Ok(true)
    }

    /// Reads a copy of the data, with the link of a mail. False if no mail arrives.
    async fn read_export(&self, site: &ChaosSite) -> anyhow::Result<bool> {
        self.client.post("/accounts/request-export", json!({ "password": self.password })).await?;
        let Some(token) =
            self.find_in_mails(site, |text| mail_text::token(text, "/export").map(ToOwned::to_owned)).await?
        else {
            return Ok(false);
        };
        let visitor = site.anonymous.without_journal();
        let export = visitor.post("/accounts/open-export", json!({ "token": token })).await?;
        let document = export["document"].as_str().context("an export without a document")?;
        ensure!(document.contains(&self.email), "wrong: the export of {}: {document}", self.name);
        Ok(true)
    }

    /// Sets another password with the link of a mail, as after a forgotten one. False if no mail arrives.
    async fn set_new_password(&mut self, site: &ChaosSite) -> anyhow::Result<bool> {
        let visitor = site.anonymous.without_journal();
        visitor.try_post("/accounts/forgot-password", json!({ "email": self.email })).await?;
        let Some(token) = self
            .find_in_mails(site, |text| mail_text::token(text, "/reset-password").map(ToOwned::to_owned))
            .await?
        else {
            return Ok(false);
        };
        let reset = json!({ "token": token, "password": SECOND_PASSWORD });
        site.anonymous.post("/accounts/reset-password", reset).await?;
        self.expect_refused_log_in(site, 401).await?;
        self.password = SECOND_PASSWORD;
        self.client = visitor.log_in(&self.name, self.password).await?;
        Ok(true)
    }

    /// An administrator suspends the account, and lifts that again.
    async fn be_suspended(&mut self, site: &ChaosSite) -> anyhow::Result<()> {
        let action = json!({ "account_id": self.account_id, "reason": "It is a drill." });
        site.admin.post("/admin/accounts/suspend", action.clone()).await?;
        self.expect_refused_log_in(site, 403).await?;
        site.admin.post("/admin/accounts/lift-suspension", action).await?;
        self.client = site.anonymous.without_journal().log_in(&self.name, self.password).await?;
        Ok(())
    }

    async fn expect_refused_log_in(&self, site: &ChaosSite, status: u16) -> anyhow::Result<()> {
        let visitor = site.anonymous.without_journal();
        let response = visitor.send(Method::POST, "/auth", &self.password_log_in()).await?;
        ensure!(response.status == status, "wrong: a log-in of {} was not refused: {response:?}", self.name);
        Ok(())
    }

    /// What `find` finds in a mail to the newcomer. None if there is no such mail in time.
    async fn find_in_mails(
        &self,
        site: &ChaosSite,
        find: impl Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Option<String>> {
        let started = Instant::now();
        while started.elapsed() < MAIL_TIME_LIMIT {
            let list = site.bank.get(&format!("/sandbox/mails?to={}", self.email)).await?;
            let mails = list["mails"].as_array().context("no list of mails")?;
            let found = mails.iter().find_map(|mail| mail["text"].as_str().and_then(&find));
            if found.is_some() {
                return Ok(found);
            }
            sleep(Duration::from_millis(100)).await;
        }
        Ok(None)
    }

    async fn found_guild(&self, site: &ChaosSite) -> anyhow::Result<()> {
        let character = json!({ "name": self.title, "level": 100, "vocation": "Knight", "online": false, "account_id": self.account_id });
        let reported = json!({ "characters": [character] });
        site.game.call(Method::PUT, "/game/characters", &reported).await?;
        let death = json!({
            "death_id": self.name, "character_name": self.title, "died_at": "2026-01-01T00:00:00Z", "level": 100,
            "killed_by": self.title, "killer_is_player": true
        });
        site.game.post("/game/deaths", json!({ "deaths": [death] })).await?;
        let guild = json!({ "name": self.title, "character_name": self.title });
        self.client.post("/guild/create-guild", guild).await.map(drop)
    }

    /// Deletes the account, and waits until the guild is not found and a log-in is refused.
    async fn delete_account(&self, site: &ChaosSite) -> anyhow::Result<()> {
        self.client.post("/accounts/delete", json!({ "password": self.password })).await?;
        let started = Instant::now();
        while !self.is_deleted(site).await.unwrap_or(false) {
            ensure!(started.elapsed() < DELETION_TIME_LIMIT, "lost: the deletion of {}", self.name);
            sleep(POLL_INTERVAL).await;
        }
        self.expect_refused_log_in(site, 401).await?;
        // The job invalidates the cache after its commit.
        let view = format!("/guild/view/{}", self.title.replace(' ', "%20"));
        let visitor = site.anonymous.without_journal();
        while visitor.send(Method::GET, &view, &Value::Null).await?.status != 404 {
            ensure!(started.elapsed() < DELETION_TIME_LIMIT, "stale: the guild of {} is shown", self.name);
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Ends the grace period if it has not ended yet.
    async fn is_deleted(&self, site: &ChaosSite) -> sqlx::Result<bool> {
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
