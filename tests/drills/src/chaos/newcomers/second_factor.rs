//! The second factor of a newcomer. Each code is sent twice at the same time, and each request is repeated until it has a final
//! response. A code must start exactly one session, or none if it is not stored as used.

use anyhow::{Context, ensure};
use data_encoding::BASE32_NOPAD;
use guildhall_testkit::totp;
use http::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::newcomer::{DELETION_TIME_LIMIT, Newcomer, POLL_INTERVAL};
use crate::{chaos::site::ChaosSite, client::RetryingClient};

/// The codes that started a session.
#[derive(Debug, Default)]
pub(super) struct UsedCodes {
    pub(super) app: bool,
    pub(super) recovery: bool,
}

/// The app and the recovery codes of a newcomer.
struct NewcomerSecondFactor<'a> {
    site: &'a ChaosSite,
    newcomer: &'a Newcomer,
    /// It does not log in again by itself, because that needs a code.
    client: RetryingClient,
    secret: Vec<u8>,
    recovery_codes: Vec<String>,
}

/// The codes that are stored as used, and the sessions, at one moment.
#[derive(Debug, sqlx::FromRow)]
struct StoredSecondFactor {
    last_step: Option<i64>,
    recovery_codes: i64,
    sessions: i64,
}

/// Enables a second factor, logs in with a code of the app and with a recovery code, and disables it. A code may be refused, for
/// instance while the clock of the api is wrong.
///
/// # Errors
/// When a code was accepted twice or lost.
pub(super) async fn use_second_factor(newcomer: &Newcomer, site: &ChaosSite) -> anyhow::Result<UsedCodes> {
    let mut used = UsedCodes::default();
    if let Some(factor) = NewcomerSecondFactor::enable(newcomer, site).await? {
        // The first code of the app was one of an earlier step.
        used.app = factor.log_in_twice(&totp::code(&factor.secret, totp::step() + 1)).await?;
        used.recovery = factor.log_in_twice(&factor.recovery_codes[0]).await?;
        factor.disable().await?;
    }
    reset(newcomer, site).await?;
    Ok(used)
}

impl<'a> NewcomerSecondFactor<'a> {
    /// None if a code is refused.
    async fn enable(newcomer: &'a Newcomer, site: &'a ChaosSite) -> anyhow::Result<Option<Self>> {
        let visitor = site.anonymous.without_journal();
        let session = visitor.post("/auth", newcomer.password_log_in()).await?;
        let token = session["access_token"].as_str().context("no access token")?;
        let client = visitor.with_token(&newcomer.name, token.to_owned());
        let password = json!({ "password": newcomer.password });
        let Some(start) = send(&client, "/accounts/second-factor/start", &password).await? else {
            return Ok(None);
        };
        let secret = start["secret"].as_str().context("no secret")?;
        let secret = BASE32_NOPAD.decode(secret.as_bytes())?;
        let first = json!({ "enrolment": start["enrolment"], "code": totp::code(&secret, totp::step() - 1) });
        let mut enabled = send(&client, "/accounts/second-factor/enable", &first).await?;
        if enabled.is_none() {
            // The response with the recovery codes was lost, if the second factor is enabled.
            let proof = json!({ "password": newcomer.password, "code": totp::code(&secret, totp::step()) });
            enabled = send(&client, "/accounts/second-factor/recovery-codes", &proof).await?;
        }
        let Some(enabled) = enabled else { return Ok(None) };
        let recovery_codes = serde_json::from_value(enabled["recovery_codes"].clone())?;
        Ok(Some(Self { site, newcomer, client, secret, recovery_codes }))
    }

    /// Logs in with one code twice at the same time, and later again. Returns whether it started a session.
    async fn log_in_twice(&self, code: &str) -> anyhow::Result<bool> {
        let before = self.stored().await?;
        let (first, second) = tokio::join!(self.log_in(code), self.log_in(code));
        let later = self.log_in(code).await?;
        let responses = i64::from(first?) + i64::from(second?) + i64::from(later);
        let after = self.stored().await?;
        let started = after.sessions - before.sessions;
        let used =
            i64::from(after.last_step != before.last_step) + before.recovery_codes - after.recovery_codes;
        let name = &self.newcomer.name;
        ensure!(
            started <= used,
            "duplicated: one code of {name} started {started} sessions: {before:?}, {after:?}"
        );
        ensure!(
            started == used,
            "lost: a code of {name} was used and started no session: {before:?}, {after:?}"
        );
        ensure!(
            responses <= started,
            "lost: {name} received {responses} sessions, but {started} were started: {before:?}, {after:?}"
        );
        Ok(started > 0)
    }

    /// Whether a log-in with this code succeeds.
    async fn log_in(&self, code: &str) -> anyhow::Result<bool> {
        let visitor = self.site.anonymous.without_journal();
        let asked = visitor.send(Method::POST, "/auth", &self.newcomer.password_log_in()).await?;
        let name = &self.newcomer.name;
        ensure!(!asked.is_success(), "wrong: {name} has a second factor and logs in without a code");
        let answer = json!({ "challenge": asked.body["challenge"], "code": code });
        Ok(send(&visitor, "/auth/second-factor", &answer).await?.is_some())
    }

    async fn disable(&self) -> anyhow::Result<()> {
        let proof = json!({ "password": self.newcomer.password, "code": self.recovery_codes[1] });
        send(&self.client, "/accounts/second-factor/disable", &proof).await.map(drop)
    }

    /// Reads again after an error: a fault may have ended the connection.
    async fn stored(&self) -> sqlx::Result<StoredSecondFactor> {
        let started = Instant::now();
        loop {
            match self.read_stored().await {
                Err(_) if started.elapsed() < DELETION_TIME_LIMIT => sleep(POLL_INTERVAL).await,
                stored => return stored,
            }
        }
    }

    async fn read_stored(&self) -> sqlx::Result<StoredSecondFactor> {
        sqlx::query_as(
            "select second_factor_last_step as last_step,
                    (select count(*) from recovery_codes where account_id = $1) as recovery_codes,
                    (select count(*) from sessions where account_id = $1) as sessions
             from accounts where account_id = $1",
        )
        .bind(self.newcomer.account_id)
        .fetch_one(&self.site.database)
        .await
    }
}

/// The body of a success, or None for a refused code, password or token.
async fn send(client: &RetryingClient, path: &str, body: &Value) -> anyhow::Result<Option<Value>> {
    let response = client.send(Method::POST, path, body).await?;
    let is_refused = [401, 403, 409, 429].contains(&response.status);
    ensure!(response.is_success() || is_refused, "wrong: POST {path}: {} {}", response.status, response.body);
    Ok(response.is_success().then_some(response.body))
}

/// An administrator resets the second factor if it is still enabled. Then the password is enough for a log-in.
async fn reset(newcomer: &Newcomer, site: &ChaosSite) -> anyhow::Result<()> {
    let started = Instant::now();
    let visitor = site.anonymous.without_journal();
    while !visitor.send(Method::POST, "/auth", &newcomer.password_log_in()).await?.is_success() {
        ensure!(started.elapsed() < DELETION_TIME_LIMIT, "wrong: {} cannot log in any more", newcomer.name);
        let action = json!({ "account_id": newcomer.account_id, "reason": "It is a drill." });
        send(&site.admin, "/admin/accounts/reset-second-factor", &action).await?;
        sleep(POLL_INTERVAL).await;
    }
    Ok(())
}
