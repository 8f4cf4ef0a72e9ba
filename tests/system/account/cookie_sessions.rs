//! Sessions of browsers, whose tokens are in cookies.

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    authenticator::enable_second_factor,
    browser::{Browser, DEVICE_COOKIE, SESSION_COOKIE},
    client::Response,
    site::Site,
};

/// The cookies of a response, by their names: the value and the attributes.
fn set_cookies(response: &Response) -> Vec<(String, String, String)> {
    let cookies = response.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let parts = cookies.map(|cookie| {
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), value.to_owned(), attributes.to_owned())
    });
    parts.collect()
}

#[track_caller]
fn assert_deletes_session(response: &Response) {
    let attributes = "Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict";
    assert_eq!(set_cookies(response), [(SESSION_COOKIE.to_owned(), String::new(), attributes.to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_logs_in_with_cookies_that_scripts_cannot_read() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let mut browser = Browser::open(&site);
    browser.refresh().await.problem(401, "unauthorized");
    let response = browser.log_in("mira").await;
    assert_eq!(response.header("cache-control"), "no-store");
    let [(session_name, refresh_token, session), (device_name, device_token, device)] =
        &set_cookies(&response)[..]
    else {
        panic!("{response:?}")
    };
    assert_eq!((session_name.as_str(), device_name.as_str()), (SESSION_COOKIE, DEVICE_COOKIE));
    assert_eq!(session, "Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict");
    assert_eq!(device, "Path=/; Max-Age=34560000; HttpOnly; Secure; SameSite=Strict");
    let body = response.clone().ok();
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["access_token", "token_type", "expires_in", "account_id"]);
    assert!(!body.to_string().contains(refresh_token) && !body.to_string().contains(device_token));
    assert_eq!(browser.page(&body).get("/accounts/me").await.ok()["name"], "mira");

    let refreshed = browser.refresh().await;
    assert_eq!(set_cookies(&refreshed).len(), 1, "{refreshed:?}");
    let refreshed = refreshed.ok();
    assert_ne!(&browser.cookies[SESSION_COOKIE], refresh_token);
    assert_eq!(refreshed["account_id"], mira.account_id);
    assert_eq!(browser.page(&refreshed).get("/accounts/me").await.ok()["name"], "mira");
    // The cookies are not accepted in place of an access token.
    let with_cookies = crate::support::client::send(browser.request(Method::GET, "/accounts/me")).await;
    with_cookies.problem(401, "unauthorized");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_that_refresh_at_the_same_time_stay_logged_in() {
    let site = Site::start().await;
    site.player("mira").await;
    let mut browser = Browser::open(&site);
    browser.log_in("mira").await.ok();
    let mut tabs = vec![browser.clone(); 4];
    let sessions = futures_util::future::join_all(tabs.iter_mut().map(Browser::refresh)).await;
    for (tab, session) in tabs.iter().zip(sessions) {
        tab.page(&session.ok()).get("/accounts/me").await.ok();
        assert_eq!(tab.cookies, tabs[0].cookies);
    }
    assert_ne!(tabs[0].cookies, browser.cookies);
    tabs[0].refresh().await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_out_needs_only_the_cookie() {
    let site = Site::start().await;
    site.player("mira").await;
    let mut browser = Browser::open(&site);
    browser.log_out().await.problem(401, "unauthorized");
    let session = browser.log_in("mira").await.ok();
    let (page, device) = (browser.page(&session), browser.cookies[DEVICE_COOKIE].clone());
    page.get("/accounts/me").await.ok();
    let (mut stolen, mut other_tab) = (browser.clone(), browser.clone());

    let logged_out = browser.log_out().await;
    assert_eq!(logged_out.status, 204, "{logged_out:?}");
    assert_deletes_session(&logged_out);
    page.get("/accounts/me").await.problem(401, "unauthorized");
    assert_eq!(browser.cookies.values().collect::<Vec<_>>(), [&device], "the device is still known");

    // A replay of the cookie finds no session, and another tab logs out all the same.
    let replayed = stolen.refresh().await;
    assert_deletes_session(&replayed);
    replayed.problem(401, "unauthorized");
    let repeated = other_tab.log_out().await;
    assert_eq!(repeated.status, 204, "{repeated:?}");
    assert_deletes_session(&repeated);

    // The session of another browser is untouched.
    let mut other_browser = Browser::open(&site);
    other_browser.log_in("mira").await.ok();
    browser.log_in("mira").await.ok();
    assert_eq!(browser.log_out().await.status, 204);
    other_browser.refresh().await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_that_was_used_before_ends_the_session() {
    let site = Site::start().await;
    site.player("mira").await;
    let mut browser = Browser::open(&site);
    browser.log_in("mira").await.ok();
    let mut thief = browser.clone();
    browser.refresh().await.ok();
    let session = browser.refresh().await.ok();
    let reused = thief.refresh().await;
    assert_deletes_session(&reused);
    reused.problem(401, "refresh_token_reused");
    browser.page(&session).get("/accounts/me").await.problem(401, "unauthorized");
    browser.refresh().await.problem(401, "unauthorized");
    assert!(!browser.cookies.contains_key(SESSION_COOKIE));
    for invalid in ["", "short", &"A".repeat(43)] {
        browser.cookies.insert(SESSION_COOKIE.to_owned(), invalid.to_owned());
        browser.refresh().await.problem(401, "unauthorized");
    }
    site.finish().await;
}

/// Sends the second step of a log-in.
async fn answer(browser: &mut Browser, challenge: &Value, code: &str, trust_device: bool) -> Response {
    let body = json!({ "challenge": challenge, "code": code, "trust_device": trust_device });
    browser.send(Method::POST, "/auth/cookie/second-factor", Some(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_browser_logs_in_without_a_code() {
    let site = Site::start().await;
    let app = enable_second_factor(&site.player("mira").await).await;
    let mut browser = Browser::open(&site);
    let asked = browser.log_in("mira").await;
    assert_eq!(set_cookies(&asked), []);
    let challenge = asked.problem(401, "second_factor_required")["challenge"].clone();
    answer(&mut browser, &challenge, &app.wrong_code(), true).await.problem(401, "wrong_code");
    assert!(browser.cookies.is_empty());
    let session = answer(&mut browser, &challenge, &app.fresh_code(&site).await, true).await.ok();
    assert_eq!(session.get("device_token"), None);
    browser.page(&session).get("/accounts/me").await.ok();

    assert_eq!(browser.log_out().await.status, 204);
    browser.log_in("mira").await.ok();
    browser.cookies.remove(DEVICE_COOKIE);
    browser.log_in("mira").await.problem(401, "second_factor_required");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_of_a_device_replaces_the_device_token() {
    let site = Site::start().await;
    site.player("mira").await;
    let mut browser = Browser::open(&site);
    let known = "select count(*) from known_clients";
    browser.log_in("mira").await.ok();
    let (clients, device) = (site.count(known).await, browser.cookies[DEVICE_COOKIE].clone());
    browser.log_in("mira").await.ok();
    assert_eq!((site.count(known).await, &browser.cookies[DEVICE_COOKIE]), (clients, &device));

    // A page that had a device token before sends it once.
    let mut other_browser = Browser::open(&site);
    let body = json!({ "login": "mira", "password": "correct horse", "device_token": device });
    other_browser.send(Method::POST, "/auth/cookie", Some(body)).await.ok();
    assert_eq!((site.count(known).await, &other_browser.cookies[DEVICE_COOKIE]), (clients, &device));
    site.finish().await;
}
