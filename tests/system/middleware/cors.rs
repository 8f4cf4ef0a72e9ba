//! Browsers of other origins.

use http::Method;

use crate::support::{client::send, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn only_configured_origins_can_read_responses() {
    let site = Site::start().await;
    let request = |method: Method, origin: &'static str| {
        let builder = site
            .visitor()
            .request(method, "/guilds/1/10")
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "GET");
        async { send(builder).await }
    };
    let preflight = request(Method::OPTIONS, "https://site.example").await;
    assert_eq!(
        (preflight.status, preflight.header("access-control-allow-origin")),
        (204, "https://site.example")
    );
    for header in ["Captcha", "Idempotency-Key"] {
        assert!(preflight.header("access-control-allow-headers").contains(header), "{header}");
    }
    let listed = request(Method::GET, "https://site.example").await;
    assert_eq!(listed.header("access-control-allow-origin"), "https://site.example");
    assert!(listed.header("access-control-expose-headers").contains("ETag"));
    for origin in ["https://evil.example", "https://site.example.evil.example", "null"] {
        assert_eq!(request(Method::OPTIONS, origin).await.header("access-control-allow-origin"), "");
        let response = request(Method::GET, origin).await;
        assert_eq!((response.status, response.header("access-control-allow-origin")), (200, ""));
    }
    site.finish().await;
}
