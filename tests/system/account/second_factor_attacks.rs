//! Guessed codes, stolen challenges and enrolments, and what the database and the secrets of the site reveal.

use guildhall_common::contract::account::AccountCommand;
use http::Method;
use serde_json::{Value, json};

use super::{
    email_changes::verified_player,
    second_factor::{disable, password_and_code},
};
use crate::support::{
    authenticator::{Authenticator, enable_second_factor, start_second_factor},
    client::{Client, Response},
    community::PASSWORD,
    mailbox::Mailbox,
    options::{API_SECRET, NEW_API_SECRET, Options},
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn wrong_codes_of_an_account_are_limited() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let (app, of_tom) = (enable_second_factor(&mira).await, enable_second_factor(&tom).await);
    let started = std::time::Instant::now();
    let challenge = site.challenge("mira").await;
    for wrong in 0.. {
        let response = site.answer(&challenge, &app.wrong_code()).await;
        if response.status == 429 {
            assert!(wrong >= 5, "refused after {wrong} wrong codes");
            assert!((1..=180).contains(&response.header("retry-after").parse::<u64>().unwrap()));
            response.problem(429, "too_many_requests");
            break;
        }
        response.problem(401, "wrong_code");
        // One more failure is allowed every three minutes.
        assert!(wrong < 5 + started.elapsed().as_secs() / 180, "{wrong} wrong codes");
    }
    // The limit counts for all requests of the account with a code, and for no other account.
    disable(&mira, password_and_code(&app.wrong_code())).await.problem(429, "too_many_requests");
    site.log_in_with_code("tom", &of_tom.fresh_code(&site).await).await.ok();
    site.finish().await;
}

fn with_changed_character(sealed: &Value, at: usize) -> Value {
    let mut text = sealed.as_str().unwrap().to_owned();
    let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
    text.replace_range(at..=at, other);
    json!(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_enrolment_is_valid_for_its_account() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let wrong = json!({ "password": "wrong horse" });
    mira.post("/accounts/second-factor/start", wrong).await.problem(403, "wrong_password");
    let start = start_second_factor(&mira).await;
    let secret = data_encoding::BASE32_NOPAD.decode(start["secret"].as_str().unwrap().as_bytes()).unwrap();
    let app = Authenticator { secret, recovery_codes: vec![] };
    let enable = async |player: &Client, enrolment: &Value, code: &str| {
        let body = json!({ "enrolment": enrolment, "code": code });
        player.post("/accounts/second-factor/enable", body).await
    };
    let enrolment = &start["enrolment"];
    let code = app.code(Authenticator::step());
    enable(&tom, enrolment, &code).await.problem(403, "invalid_enrolment");
    for at in [0, 40, 100] {
        let changed = with_changed_character(enrolment, at);
        enable(&mira, &changed, &code).await.problem(403, "invalid_enrolment");
    }
    enable(&mira, enrolment, &app.wrong_code()).await.problem(403, "wrong_code");
    enable(&mira, enrolment, "abcd-efgh-ijkl-mnop").await.problem(403, "wrong_code");
    enable(&mira, enrolment, "12345").await.invalid("/code");
    enable(&mira, enrolment, &app.code(Authenticator::step())).await.ok();
    enable(&mira, enrolment, &app.code(Authenticator::step())).await.problem(409, "second_factor_enabled");
    // A challenge is no enrolment.
    let challenge = site.challenge("mira").await;
    enable(&mira, &challenge, &code).await.problem(403, "invalid_enrolment");
    site.answer(enrolment, &code).await.problem(401, "invalid_challenge");
    // Another password makes an enrolment invalid.
    let start = start_second_factor(&tom).await;
    let secret = data_encoding::BASE32_NOPAD.decode(start["secret"].as_str().unwrap().as_bytes()).unwrap();
    let app = Authenticator { secret, recovery_codes: vec![] };
    let change = json!({ "old_password": PASSWORD, "password": PASSWORD });
    tom.post("/accounts/change-password", change).await.result();
    let code = app.code(Authenticator::step());
    enable(&tom, &start["enrolment"], &code).await.problem(409, "password_has_changed");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_valid_for_its_client() {
    let mut site = Site::start_with(Options { has_trusted_proxy: true, ..Options::default() }).await;
    let mira = site.player("mira").await;
    let app = enable_second_factor(&mira).await;
    let challenge = site.challenge("mira").await;
    let code = app.fresh_code(&site).await;
    for at in [0, 40, 100] {
        let changed = with_changed_character(&challenge, at);
        site.answer(&changed, &code).await.problem(401, "invalid_challenge");
    }
    // A thief in another network.
    let body = json!({ "challenge": challenge, "code": code });
    let request = site.visitor().request(http::Method::POST, "/auth/second-factor").json(&body);
    crate::support::client::send(request.header("X-Forwarded-For", "203.0.113.9"))
        .await
        .problem(401, "invalid_challenge");
    // Another site.
    let options = Options { secrets: vec![NEW_API_SECRET], ..Options::default() };
    let other = site.start_another_api(&options).await;
    other.post("/auth/second-factor", body).await.problem(401, "invalid_challenge");
    let change = json!({ "old_password": PASSWORD, "password": PASSWORD });
    mira.post("/accounts/change-password", change).await.result();
    site.answer(&challenge, &code).await.problem(401, "invalid_challenge");
    site.log_in_with_code("mira", &code).await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_stored_as_it_is() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let app = enable_second_factor(&mira).await;
    site.log_in_with_code("mira", &app.recovery_codes[0]).await.ok();
    let challenge = site.challenge("mira").await;
    site.answer(&challenge, &app.fresh_code(&site).await).await.ok();
    let secret = app.secret.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut searched = vec![secret, data_encoding::BASE32_NOPAD.encode(&app.secret)];
    searched.push(challenge.as_str().unwrap().to_owned());
    for code in &app.recovery_codes {
        searched.extend([code.clone(), code.replace('-', "")]);
    }
    for table in
        ["operations", "outbox", "accounts", "recovery_codes", "known_clients", "mails", "jobs", "audit_log"]
    {
        let sql = format!("select string_agg(row::text, ' ') from {table} as row");
        let rows: Option<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&site.database).await.unwrap();
        let rows = rows.unwrap_or_default().to_lowercase();
        for text in &searched {
            assert!(!rows.contains(&text.to_lowercase()), "{table} has {text}");
        }
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_of_the_site_can_be_replaced() {
    let mut site = Site::start().await;
    let app = enable_second_factor(&site.player("mira").await).await;
    let with = |secrets| Options { secrets, ..Options::default() };
    let both = site.start_another_api(&with(vec![NEW_API_SECRET, API_SECRET])).await;
    let new = site.start_another_api(&with(vec![NEW_API_SECRET])).await;
    let log_in = async |api: &Client, code: &str| {
        let body = json!({ "login": "mira", "password": PASSWORD });
        let asked = api.post("/auth", body).await.problem(401, "second_factor_required");
        let body = json!({ "challenge": asked["challenge"], "code": code });
        api.post("/auth/second-factor", body).await
    };
    // The new secret alone cannot decrypt it. A recovery code is independent of secrets.
    let code = app.fresh_code(&site).await;
    log_in(&new, &code).await.problem(401, "wrong_code");
    log_in(&new, &app.recovery_codes[0]).await.ok();
    // The next code encrypts it again, under the new secret.
    log_in(&both, &code).await.ok();
    log_in(&new, &app.fresh_code(&site).await).await.ok();
    site.finish().await;
}

/// Queues the command of a visitor.
async fn queue(site: &Site, path: &str, body: Value) -> tokio::task::JoinHandle<Response> {
    let request = site.visitor().request(Method::POST, path).json(&body);
    site.queue::<AccountCommand>(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_decides_if_the_account_changes_meanwhile() {
    let mut site = Site::start().await;
    site.player("mira").await;
    let app = enable_second_factor(&site.player("tom").await).await;
    let code = json!({ "challenge": site.challenge("tom").await, "code": app.recovery_codes[0] });
    let device = {
        let body =
            json!({ "challenge": code["challenge"], "code": app.recovery_codes[1], "trust_device": true });
        site.visitor().post("/auth/second-factor", body).await.ok()["device_token"].clone()
    };
    site.stop_workers().await;
    let without = json!({ "login": "mira", "password": PASSWORD });
    let without = queue(&site, "/auth", without).await;
    let trusted = json!({ "login": "tom", "password": PASSWORD, "device_token": device });
    let trusted = queue(&site, "/auth", trusted).await;
    let first = queue(&site, "/auth/second-factor", code.clone()).await;
    let second = queue(&site, "/auth/second-factor", code).await;
    site.execute(
        "update accounts set second_factor = 'x', second_factor_enabled_at = now(), second_factor_last_step = 0
         where second_factor is null",
    )
    .await;
    site.execute("update known_clients set trusted_until = null").await;
    site.start_workers();
    without.await.unwrap().problem(409, "second_factor_required");
    trusted.await.unwrap().problem(409, "second_factor_required");
    first.await.unwrap().ok();
    second.await.unwrap().problem(409, "second_factor_used");
    site.finish().await;
}

/// A thief who knows the password logs in all the time, also while its owner sets another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_with_the_former_password_starts_no_session() {
    let mut site = Site::start().await;
    site.player("mira").await;
    let app = enable_second_factor(&site.player("tom").await).await;
    let code = json!({ "challenge": site.challenge("tom").await, "code": app.recovery_codes[0] });
    let other = json!({ "name": "eve", "email": "eve@example.org", "password": "velvet compass orchard" });
    site.visitor().post("/accounts/register", other).await.result();
    site.stop_workers().await;
    let log_in = json!({ "login": "mira", "password": PASSWORD });
    let log_in = queue(&site, "/auth", log_in).await;
    let with_code = queue(&site, "/auth/second-factor", code).await;
    site.execute(
        "update accounts set password_hash = (select password_hash from accounts where name = 'eve')",
    )
    .await;
    let sessions = site.count("select count(*) from sessions").await;
    site.start_workers();
    log_in.await.unwrap().problem(401, "wrong_credentials");
    with_code.await.unwrap().problem(409, "password_has_changed");
    assert_eq!(site.count("select count(*) from sessions").await, sessions);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_can_disable_it() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    enable_second_factor(&verified_player(&site, &mailbox, "mira").await).await;
    let enabled = mailbox.wait_for("mira@example.org", 2).await;
    let disable = async || site.disable_second_factor("mira").await;
    disable().await.unwrap();
    let disabled = mailbox.wait_for("mira@example.org", 3).await;
    assert_ne!(enabled.subject, disabled.subject);
    site.log_in("mira").await.ok();
    assert_eq!(site.count("select count(*) from recovery_codes").await, 0);
    assert_eq!(
        site.count("select count(*) from audit_log where action = 'account.disable_second_factor'").await,
        1
    );
    assert!(disable().await.is_err());
    site.finish().await;
}
