//! Limits for guessing passwords, from one address or from many.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use guildhall_common::platform::db;
use guildhall_testkit::http::registration;
use http::Method;
use serde_json::{Value, json};

use crate::support::{
    authenticator::enable_second_factor,
    client::{Response, send, send_once},
    community::PASSWORD,
    options::Options,
    rate_limit::RateLimit,
    site::Site,
};

const WRONG_PASSWORD: &str = "wrong horse";

/// A site behind a proxy on this machine, with two accounts.
async fn site_behind_a_proxy(log_ins_per_minute: u32) -> Site {
    let site =
        Site::start_with(Options { log_ins_per_minute, has_trusted_proxy: true, ..Options::default() }).await;
    for name in ["mira", "tom"] {
        let account = registration(name, PASSWORD);
        site.visitor().post("/accounts/register", account).await.result();
    }
    site
}

pub(super) async fn log_in_from(site: &Site, forwarded_for: &str, login: &str, password: &str) -> Response {
    let request = site.visitor().request(Method::POST, "/auth").header("X-Forwarded-For", forwarded_for);
    send(request.json(&json!({ "login": login, "password": password }))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_for_one_account_from_one_address_are_limited() {
    let site = site_behind_a_proxy(1).await;
    let mut limit = RateLimit::per_minute(1);
    log_in_from(&site, "203.0.113.1", "mira", WRONG_PASSWORD).await.problem(401, "wrong_credentials");
    // The right password is refused too. Otherwise the limit would reveal which guess is right.
    limit.assert_refuses(async || log_in_from(&site, "203.0.113.1", "Mira", PASSWORD).await).await;
    log_in_from(&site, "203.0.113.2", "mira", PASSWORD).await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_strangers_do_not_keep_the_owner_out() {
    let site = site_behind_a_proxy(3).await;
    let session = log_in_from(&site, "198.51.100.1", "mira", PASSWORD).await.ok();
    let mut limit = RateLimit::per_minute(15);
    for guess in 0..15 {
        let address = format!("203.0.113.{}", guess / 3);
        log_in_from(&site, &address, "mira", WRONG_PASSWORD).await.problem(401, "wrong_credentials");
    }
    // An unknown client is delayed, but not one that is known by its network or by its device token.
    limit.assert_refuses(async || log_in_from(&site, "198.51.100.2", "mira", WRONG_PASSWORD).await).await;
    log_in_from(&site, "198.51.100.1", "mira", PASSWORD).await.ok();
    let with_token = async |address: &str, token: &Value, password: &str| {
        let request = site.visitor().request(Method::POST, "/auth").header("X-Forwarded-For", address);
        send(request.json(&json!({ "login": "mira", "password": password, "device_token": token }))).await
    };
    let again = with_token("198.51.100.3", &session["device_token"], PASSWORD).await.ok();
    assert_eq!(again["device_token"], session["device_token"]);
    limit
        .assert_refuses(async || with_token("198.51.100.4", &json!("A".repeat(43)), WRONG_PASSWORD).await)
        .await;
    // The token alone is no password.
    with_token("198.51.100.5", &session["device_token"], WRONG_PASSWORD)
        .await
        .problem(401, "wrong_credentials");
    // Another account does not know the client.
    let mut limit = RateLimit::per_minute(3);
    for _ in 0..3 {
        log_in_from(&site, "198.51.100.1", "tom", WRONG_PASSWORD).await.problem(401, "wrong_credentials");
    }
    limit.assert_refuses(async || log_in_from(&site, "198.51.100.1", "tom", WRONG_PASSWORD).await).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn log_ins_with_the_right_password_are_not_limited() {
    let site = site_behind_a_proxy(1).await;
    for _ in 0..10 {
        log_in_from(&site, "203.0.113.1", "mira", PASSWORD).await.ok();
    }
    site.finish().await;
}

/// The network of an IPv6 address counts as one address, because a customer has all addresses of it.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_for_many_accounts_from_one_address_are_limited() {
    let site = site_behind_a_proxy(1).await;
    for (address, other) in [("203.0.113.1", "203.0.113.2"), ("2001:db8:0:1::", "2001:db8:0:2::")] {
        let mut limit = RateLimit::per_minute(5);
        // The client invents the address before the last one.
        let from = |last: usize| match address.strip_suffix("::") {
            Some(network) => format!("198.51.100.{last}, {network}::{last}"),
            None => format!("198.51.100.{last}, {address}"),
        };
        for guess in 1..=5 {
            let login = format!("player{guess}{address}");
            log_in_from(&site, &from(guess), &login, WRONG_PASSWORD).await.problem(401, "wrong_credentials");
        }
        // Each guess is for another account, so only the limit of the address can refuse it.
        let guess = AtomicUsize::new(6);
        let another_account = async || {
            let guess = guess.fetch_add(1, Ordering::SeqCst);
            log_in_from(&site, &from(guess), &format!("player{guess}{address}"), WRONG_PASSWORD).await
        };
        limit.assert_refuses(another_account).await;
        let name = if address.contains('.') { "mira" } else { "tom" };
        limit.assert_refuses(async || log_in_from(&site, &from(250), name, WRONG_PASSWORD).await).await;
        log_in_from(&site, other, name, PASSWORD).await.ok();
    }
    site.finish().await;
}

/// Otherwise a stranger could find out which e-mail address belongs to which account.
#[tokio::test(flavor = "multi_thread")]
async fn failures_by_name_do_not_count_for_the_email_address() {
    let site = site_behind_a_proxy(1).await;
    // Only a verified address logs in.
    site.execute("update accounts set email_verified_at = now()").await;
    let mut limit = RateLimit::per_minute(5);
    for last in 1..=5 {
        let address = format!("203.0.113.{last}");
        log_in_from(&site, &address, "mira", WRONG_PASSWORD).await.problem(401, "wrong_credentials");
    }
    limit.assert_refuses(async || log_in_from(&site, "203.0.113.6", "mira", WRONG_PASSWORD).await).await;
    let by_email = async |password| log_in_from(&site, "203.0.113.7", "mira@example.org", password).await;
    by_email(WRONG_PASSWORD).await.problem(401, "wrong_credentials");
    site.finish().await;
}

/// A client with a session proves the password again. A stranger cannot use up its attempts, and the thief of a token has a limit for all
/// networks.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_with_a_session_have_limits_of_their_own() {
    let site = site_behind_a_proxy(1).await;
    let session = log_in_from(&site, "203.0.113.1", "mira", PASSWORD).await.ok();
    let mira = site.visitor().with_token(session["access_token"].as_str().unwrap());
    let prove_from = async |address: &str, password: &str| {
        let request = mira.request(Method::POST, "/accounts/delete").header("X-Forwarded-For", address);
        send(request.json(&json!({ "password": password }))).await
    };
    let login = format!("account {}", session["account_id"]);
    for _ in 0..2 {
        log_in_from(&site, "203.0.113.1", &login, WRONG_PASSWORD).await;
    }
    prove_from("203.0.113.1", PASSWORD).await.result();
    let mut limit = RateLimit::per_minute(5);
    for last in 1..=5 {
        let address = format!("203.0.113.{last}");
        prove_from(&address, WRONG_PASSWORD).await.problem(403, "wrong_password");
    }
    limit.assert_refuses(async || prove_from("203.0.113.6", WRONG_PASSWORD).await).await;
    log_in_from(&site, "203.0.113.1", "mira", PASSWORD).await.ok();
    site.finish().await;
}

/// Postgres does not respond, because another transaction holds the tables.
#[tokio::test(flavor = "multi_thread")]
async fn failures_of_the_server_do_not_count() {
    let site = Site::start_with(Options { log_ins_per_minute: 1, ..Options::default() }).await;
    let mira = site.player("mira").await;
    let app = enable_second_factor(&mira).await;
    // The session is in the cache from now on.
    mira.get("/accounts/me").await.ok();
    let disable = json!({ "password": PASSWORD, "code": app.recovery_codes[0] });
    let delete = json!({ "password": PASSWORD });
    let post = async |path: &str, body: &Value| send_once(&mira.request(Method::POST, path).json(body)).await;
    let mut transaction = db::begin(&site.database).await.unwrap();
    sqlx::query("lock table accounts, recovery_codes in access exclusive mode")
        .execute(&mut *transaction)
        .await
        .unwrap();
    post("/accounts/delete", &delete).await.problem(503, "database_unavailable");
    let codes = std::iter::repeat_with(|| post("/accounts/second-factor/disable", &disable)).take(5);
    for response in join_all(codes).await {
        response.problem(503, "database_unavailable");
    }
    transaction.rollback().await.unwrap();
    mira.post("/accounts/second-factor/disable", disable).await.ok();
    mira.post("/accounts/delete", delete).await.result();
    site.finish().await;
}
