//! Limits for the requests of one address: registrations, all requests, and guesses of tokens.

use guildhall_testkit::http::registration;
use http::Method;
use serde_json::json;

use super::{forgery::with_changed_character, guessing::log_in_from};
use crate::support::{
    client::send, community::PASSWORD, options::Options, rate_limit::RateLimit, site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn accounts_of_one_address_are_limited() {
    let site = Site::start_with(Options {
        registrations_per_hour: 2,
        has_trusted_proxy: true,
        ..Options::default()
    })
    .await;
    let register = async |address: &str, name: &str, key: &str| {
        let account = registration(name, PASSWORD);
        let request = site.visitor().request(Method::POST, "/accounts/register").json(&account);
        send(request.header("X-Forwarded-For", address).header("Idempotency-Key", key)).await
    };
    for name in ["mira", "tom"] {
        register("203.0.113.1", name, name).await.result();
    }
    let refused = register("203.0.113.1", "ana", "ana").await;
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 60);
    refused.problem(429, "too_many_requests");
    // A repeated request registers nothing, so it is answered.
    register("203.0.113.1", "mira", "mira").await.result();
    register("203.0.113.2", "ana", "ana").await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_requests_of_one_address_are_limited() {
    let site =
        Site::start_with(Options { requests_per_minute: 2, has_trusted_proxy: true, ..Options::default() })
            .await;
    let get = async |address: &str, token: &str| {
        let request = site.visitor().request(Method::GET, "/guilds/1/10").bearer_auth(token);
        send(request.header("X-Forwarded-For", address)).await
    };
    // Ten accounts have ten limits, but only one address.
    let mut players = vec![];
    for number in 0..10 {
        let (name, address) = (format!("player{number}"), format!("198.51.100.{number}"));
        let account = registration(&name, PASSWORD);
        let request = site.visitor().request(Method::POST, "/accounts/register").json(&account);
        send(request.header("X-Forwarded-For", &address)).await.result();
        players.push(log_in_from(&site, &address, &name, PASSWORD).await.ok()["access_token"].clone());
    }
    let mut limit = RateLimit::per_minute(20);
    for token in players.iter().chain(&players) {
        get("203.0.113.1", token.as_str().unwrap()).await.ok();
    }
    limit.assert_refuses(async || get("203.0.113.1", site.game_server().token()).await).await;
    get("203.0.113.2", "invalid").await.ok();
    site.finish().await;
}

/// A request with an invalid token counts as a request of its address, because no account sent it.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_tokens_are_limited_per_address() {
    let site =
        Site::start_with(Options { requests_per_minute: 5, has_trusted_proxy: true, ..Options::default() })
            .await;
    let mira = site.player("mira").await;
    let session = site.log_in("mira").await.ok();
    let get = async |address: &str, token: &str| {
        let request = site.visitor().request(Method::GET, "/accounts/me").bearer_auth(token);
        send(request.header("X-Forwarded-For", address)).await
    };
    let mut limit = RateLimit::per_minute(5);
    for number in 0..3 {
        get("203.0.113.1", &format!("ghs_{number:064}")).await.problem(401, "unauthorized");
    }
    for at in [10, 20] {
        let token = with_changed_character(session["refresh_token"].as_str().unwrap(), at);
        let request = site.visitor().request(Method::POST, "/auth/refresh");
        send(request.header("X-Forwarded-For", "203.0.113.1").json(&json!({ "refresh_token": token })))
            .await
            .problem(401, "unauthorized");
    }
    limit.assert_refuses(async || get("203.0.113.1", &format!("ghs_{:064}", 3)).await).await;
    get("203.0.113.2", &format!("ghs_{:064}", 4)).await.problem(401, "unauthorized");
    // Requests with a valid token count as requests of the account.
    let token = mira.token();
    let mut limit = RateLimit::per_minute(5);
    for _ in 0..5 {
        get("203.0.113.1", token).await.ok();
    }
    limit.assert_refuses(async || get("203.0.113.3", token).await).await;
    site.finish().await;
}
