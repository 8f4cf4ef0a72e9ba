//! Who guesses passwords or tokens is slowed down, from wherever they guess.

use reqwest::Method;
use serde_json::json;

use super::tokens::changed;
use crate::support::{Answer, Options, Site, send};

/// A site behind a proxy on this machine.
async fn site_behind_a_proxy(log_ins_per_minute: u32) -> Site {
    let site = Site::with(Options { log_ins_per_minute, proxy: true, ..Options::default() }).await;
    for name in ["mira", "tom"] {
        let account =
            json!({ "name": name, "email": format!("{name}@example.org"), "password": "correct horse" });
        site.nobody().post("/accounts/register", account).await.result();
    }
    site
}

async fn log_in_from(site: &Site, forwarded: &str, login: &str, password: &str) -> Answer {
    let request = site.nobody().request(Method::POST, "/auth").header("X-Forwarded-For", forwarded);
    send(request.json(&json!({ "login": login, "password": password }))).await
}

#[track_caller]
fn is_limited(answer: Answer) {
    let wait = answer.header("retry-after").parse::<u64>();
    answer.problem(429, "too_many_requests");
    assert!((1..=60).contains(&wait.unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_one_password_from_many_addresses_is_limited() {
    let site = site_behind_a_proxy(3).await;
    for address in ["203.0.113.1", "203.0.113.2", "2001:db8::1"] {
        log_in_from(&site, address, "mira", "wrong horse").await.problem(401, "wrong_credentials");
    }
    is_limited(log_in_from(&site, "203.0.113.4", "mira", "wrong horse").await);
    // Else the limit would tell which guess is right.
    is_limited(log_in_from(&site, "203.0.113.5", "Mira", "correct horse").await);
    for address in ["203.0.113.1", "203.0.113.6"] {
        log_in_from(&site, address, "tom", "correct horse").await.ok();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_many_passwords_from_one_address_is_limited() {
    let site = site_behind_a_proxy(1).await;
    // An address, and a network of which a customer has all addresses; with what the guesser invents before them.
    for (address, other) in [("203.0.113.1", "203.0.113.2"), ("2001:db8:0:1::", "2001:db8:0:2::")] {
        let from = |last: usize| match address.strip_suffix("::") {
            Some(network) => format!("198.51.100.{last}, {network}::{last}"),
            None => format!("198.51.100.{last}, {address}"),
        };
        for guess in 1..=5 {
            let login = format!("player{guess}{address}");
            log_in_from(&site, &from(guess), &login, "wrong horse").await.problem(401, "wrong_credentials");
        }
        is_limited(log_in_from(&site, &from(6), "another", "wrong horse").await);
        let name = if address.contains('.') { "mira" } else { "tom" };
        is_limited(log_in_from(&site, &from(7), name, "correct horse").await);
        log_in_from(&site, other, name, "correct horse").await.ok();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_and_an_address_of_one_account_are_limited_together() {
    let site = site_behind_a_proxy(2).await;
    log_in_from(&site, "203.0.113.1", "mira", "wrong horse").await.problem(401, "wrong_credentials");
    log_in_from(&site, "203.0.113.2", "mira@example.org", "wrong horse")
        .await
        .problem(401, "wrong_credentials");
    is_limited(log_in_from(&site, "203.0.113.3", "mira", "wrong horse").await);
    is_limited(log_in_from(&site, "203.0.113.4", "mira@example.org", "wrong horse").await);
    site.finish().await;
}

/// A guess is counted as what it is: nobody's.
#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_tokens_is_limited() {
    let site = Site::with(Options { requests_per_minute: 5, proxy: true, ..Options::default() }).await;
    let mira = site.player("mira").await;
    let from = |address: &str, method: Method, path: &str, token: &str| {
        let request = site.nobody().request(method, path).header("X-Forwarded-For", address);
        request.bearer_auth(token)
    };
    let guess = |address: &str, token: &str| send(from(address, Method::GET, "/accounts/me", token));
    for number in 0..3 {
        let token = format!("ghs_{number:064}");
        guess("203.0.113.1", &token).await.problem(401, "unauthorized");
    }
    let session = site.log_in("mira").await.ok();
    for at in [10, 20] {
        let token = json!({ "refresh_token": changed(session["refresh_token"].as_str().unwrap(), at) });
        let request = site.nobody().request(Method::POST, "/auth/refresh");
        send(request.header("X-Forwarded-For", "203.0.113.1").json(&token))
            .await
            .problem(401, "unauthorized");
    }
    is_limited(guess("203.0.113.1", &format!("ghs_{:064}", 3)).await);
    guess("203.0.113.2", &format!("ghs_{:064}", 4)).await.problem(401, "unauthorized");
    // Whoever is known is counted for themselves.
    let token = mira.token.as_ref().unwrap();
    for _ in 0..5 {
        guess("203.0.113.1", token).await.ok();
    }
    is_limited(guess("203.0.113.3", token).await);
    site.finish().await;
}
