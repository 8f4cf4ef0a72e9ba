//! Pages of other origins, and the cookies of a browser that has logged in.

use guildhall_testkit::http::Request;
use http::Method;
use serde_json::json;

use crate::support::{
    browser::{Browser, SESSION_COOKIE},
    client::send,
    community::PASSWORD,
    site::Site,
};

/// The `Origin` and the `Sec-Fetch-Site` of a request.
type Page<'a> = (&'a str, &'a str);

/// Each request that uses or sets cookies, as a page of this origin sends it in a browser.
fn requests(browser: &Browser, (origin, fetch_site): Page) -> Vec<Request> {
    let credentials = json!({ "login": "mira", "password": PASSWORD });
    let code = json!({ "challenge": "A".repeat(200), "code": "123456" });
    let request = |method, path| {
        let request = browser.request(method, path);
        let request = if origin.is_empty() { request } else { request.header("Origin", origin) };
        if fetch_site.is_empty() { request } else { request.header("Sec-Fetch-Site", fetch_site) }
    };
    vec![
        request(Method::POST, "/auth/cookie").json(&credentials),
        request(Method::POST, "/auth/cookie/second-factor").json(&code),
        request(Method::POST, "/auth/cookie/refresh"),
        request(Method::DELETE, "/auth/cookie"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn only_pages_of_the_site_use_its_cookies() {
    let site = Site::start().await;
    site.player("mira").await;
    let mut browser = Browser::open(&site);
    browser.log_in("mira").await.ok();
    let own = site.url.as_str();
    let (host, port) = own.rsplit_once(':').unwrap();
    let other_port = format!("{host}:{}", port.parse::<u16>().unwrap() ^ 1);
    for page in [
        ("", ""),
        ("", "same-origin"),
        ("null", "cross-site"),
        ("https://evil.example", "cross-site"),
        ("https://evil.example", ""),
        // The page may read the responses to requests with an access token: GUILDHALL_CORS_ORIGINS.
        ("https://site.example", "cross-site"),
        ("https://site.example", "same-origin"),
        ("https://forum.www.site.example", "same-site"),
        ("http://www.site.example", "same-origin"),
        ("https://www.site.example.evil.example", ""),
        (other_port.as_str(), "same-origin"),
        (own, "same-site"),
        (own, "cross-site"),
        (own, "none"),
    ] {
        for request in requests(&browser, page) {
            let response = send(request).await;
            assert!(!response.headers.contains_key("set-cookie"), "{page:?}: {response:?}");
            assert!(!response.headers.contains_key("access-control-allow-credentials"), "{page:?}");
            response.problem(403, "cross_origin_request");
        }
    }
    let twice = browser.request(Method::POST, "/auth/cookie/refresh").header("Origin", own);
    send(twice.header("Origin", "https://evil.example")).await.problem(403, "cross_origin_request");
    // No refused request had an effect: the cookie is still the current one.
    browser.refresh().await.ok();
    site.finish().await;
}

/// Both the host of the request and the address in the settings are origins of the site.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_site_may_have_another_host_than_the_api() {
    let site = Site::start().await;
    site.player("mira").await;
    for page in [
        (site.url.as_str(), ""),
        ("https://www.site.example", "same-origin"),
        ("https://WWW.site.example:443", "same-origin"),
    ] {
        let browser = Browser::open(&site);
        let log_in = requests(&browser, page).swap_remove(0);
        let response = send(log_in).await;
        assert!(response.headers["set-cookie"].to_str().unwrap().starts_with(SESSION_COOKIE), "{page:?}");
        response.ok();
    }
    // A proxy that ends TLS passes the host on.
    let behind_proxy =
        requests(&Browser::open(&site), ("https://shop.example", "same-origin")).swap_remove(0);
    send(behind_proxy.header("Host", "shop.example")).await.ok();
    site.finish().await;
}

/// A form cannot log in a victim's browser to the account of an attacker: it sends no JSON, and its origin is another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_cannot_log_in() {
    let site = Site::start().await;
    site.player("mira").await;
    let body = json!({ "login": "mira", "password": PASSWORD }).to_string();
    for (origin, status, code) in [
        ("https://evil.example", 403, "cross_origin_request"),
        (site.url.as_str(), 415, "unsupported_media_type"),
    ] {
        let form = site.visitor().request(Method::POST, "/auth/cookie").header("Origin", origin);
        let response = send(form.header("Content-Type", "text/plain").body(body.clone())).await;
        assert!(!response.headers.contains_key("set-cookie"));
        response.problem(status, code);
    }
    site.finish().await;
}
