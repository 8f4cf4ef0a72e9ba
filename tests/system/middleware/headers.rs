//! Request ids, security headers, and the documentation.

use http::Method;

use crate::support::{client::send, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_valid_request_id_is_kept_and_others_are_replaced() {
    let site = Site::start().await;
    let request = async |id: &str| {
        send(site.visitor().request(Method::GET, "/nowhere").header("X-Request-Id", id)).await
    };
    assert_eq!(request("my-id").await.problem(404, "no_such_path")["request_id"], "my-id");
    let generated = request("two words").await;
    assert_eq!(generated.header("x-request-id").len(), 36);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documentation_is_served() {
    let site = Site::start().await;
    let docs = site.visitor().get("/docs").await;
    let page = docs.body.as_str().unwrap();
    assert!(page.contains("/guild/create-guild"));
    for reference in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(reference), "the documentation loads {reference} from another host");
    }
    assert!(docs.header("content-security-policy").contains("default-src 'self'"));
    let response = site.visitor().get("/guilds/1/10").await;
    for (name, value) in [
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(response.header(name), value);
    }
    site.finish().await;
}
