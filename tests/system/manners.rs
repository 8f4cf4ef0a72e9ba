mod connections;

use reqwest::Method;
use serde_json::json;

use crate::support::{Options, Site, send};

#[tokio::test(flavor = "multi_thread")]
async fn every_error_is_a_problem() {
    let site = Site::start().await;
    let (nobody, mira) = (site.nobody(), site.player("mira").await);
    nobody.get("/nowhere").await.problem(404, "no_such_path");
    for method in [Method::DELETE, Method::TRACE, Method::OPTIONS, Method::from_bytes(b"QUERY").unwrap()] {
        let refused = send(nobody.request(method, "/guilds/1/10")).await;
        assert_eq!(refused.header("allow"), "GET, HEAD");
        refused.problem(405, "method_not_allowed");
    }
    send(nobody.request(Method::GET, "/guild/view/%ff")).await.problem(400, "bad_request");
    nobody.delete("/healthz").await.problem(405, "method_not_allowed");
    let compressed = mira.request(Method::POST, "/guild/delete").header("content-encoding", "gzip").body("x");
    send(compressed).await.problem(415, "unsupported_encoding");
    let post = |body: &'static str, kind: &'static str| {
        let request = mira.request(Method::POST, "/guild/delete").header("content-type", kind).body(body);
        async { send(request).await }
    };
    post("{}", "text/plain").await.problem(415, "unsupported_media_type");
    post("{ nonsense", "application/json").await.invalid("");
    post("{} {}", "application/json").await.invalid("/guild_id");
    post(r#"{"guild_id": 1} {}"#, "application/json").await.invalid("");
    post(r#"{"guild_id": 1, "guild_id": 1}"#, "application/json").await.invalid("");
    post("", "application/json").await.invalid("");
    let large = mira.request(Method::POST, "/guild/delete").header("content-type", "application/json");
    send(large.body("x".repeat(64 * 1024 + 1))).await.problem(413, "body_too_large");
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let bomb = mira.request(Method::POST, "/guild/delete").header("content-type", "application/json");
    send(bomb.body(deep)).await.problem(400, "invalid_request");
    let invalid = mira.request(Method::POST, "/guild/delete").header("content-type", "application/json");
    send(invalid.body(b"{\"guild_id\": \"\xff\"}".to_vec())).await.problem(400, "invalid_request");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_id_is_kept_or_made() {
    let site = Site::start().await;
    let ask = |id: &'static str| {
        let request = site.nobody().request(Method::GET, "/nowhere").header("X-Request-Id", id);
        async { send(request).await }
    };
    assert_eq!(ask("my-id").await.problem(404, "no_such_path")["request_id"], "my-id");
    let made = ask("two words").await;
    assert_eq!(made.header("x-request-id").len(), 36);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_tagged_and_not_sent_twice() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    for path in ["/guilds/1/10", "/guild/view/Night%20Watch", "/news/list/1/10", "/shop/offers"] {
        let first = site.nobody().get(path).await;
        assert_eq!(first.header("cache-control"), "public, no-cache");
        let tag = first.header("etag").to_owned();
        let conditional =
            |tag: String| send(site.nobody().request(Method::GET, path).header("If-None-Match", tag));
        let unchanged = conditional(format!("\"other\", W/{tag}")).await;
        assert_eq!((unchanged.status, &unchanged.body), (304, &json!("")));
        assert_eq!(unchanged.header("etag"), tag);
        assert_eq!(conditional("*".to_owned()).await.status, 304);
        assert_eq!(conditional("\"other\"".to_owned()).await.status, 200);
    }
    let tag = site.nobody().get("/guild/view/Night%20Watch").await.header("etag").to_owned();
    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "new" })).await.result();
    let request =
        site.nobody().request(Method::GET, "/guild/view/Night%20Watch").header("If-None-Match", tag);
    assert_eq!(send(request).await.status, 200);
    assert_eq!(mira.get("/guild/view/Night%20Watch").await.header("cache-control"), "private, no-cache");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_answers_are_compressed_for_who_wants_it() {
    let site = Site::start().await;
    let get = |path: &str, accept: &'static str| {
        let request = site.nobody().request(Method::GET, path).header("Accept-Encoding", accept);
        async { request.send().await.unwrap() }
    };
    let large = get("/openapi.json", "gzip").await;
    assert_eq!(large.headers()["content-encoding"], "gzip");
    let vary: Vec<_> = large.headers().get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(vary.contains(&"Accept-Encoding"), "{vary:?}");
    assert_eq!(large.bytes().await.unwrap()[..2], [0x1f, 0x8b]);
    for (path, accept) in
        [("/openapi.json", "identity"), ("/openapi.json", "gzip;q=0"), ("/guilds/1/10", "gzip")]
    {
        let plain = get(path, accept).await;
        assert!(!plain.headers().contains_key("content-encoding"), "{path} {accept}");
        serde_json::from_slice::<serde_json::Value>(&plain.bytes().await.unwrap()).unwrap();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_listed_origins_may_read_the_answers() {
    let site = Site::start().await;
    let ask = |method: Method, origin: &'static str| {
        let request = site
            .nobody()
            .request(method, "/guilds/1/10")
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "GET");
        async { send(request).await }
    };
    let preflight = ask(Method::OPTIONS, "https://site.example").await;
    assert_eq!(
        (preflight.status, preflight.header("access-control-allow-origin")),
        (204, "https://site.example")
    );
    assert!(preflight.header("access-control-allow-headers").contains("Idempotency-Key"));
    let listed = ask(Method::GET, "https://site.example").await;
    assert_eq!(listed.header("access-control-allow-origin"), "https://site.example");
    assert!(listed.header("access-control-expose-headers").contains("ETag"));
    for stranger in ["https://evil.example", "https://site.example.evil.example", "null"] {
        assert_eq!(ask(Method::OPTIONS, stranger).await.header("access-control-allow-origin"), "");
        let answer = ask(Method::GET, stranger).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, ""));
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_too_often_is_told_to_wait() {
    let site = Site::with(Options { requests_per_minute: 5, ..Options::default() }).await;
    let first = site.nobody().get("/guilds/1/10").await;
    assert_eq!((first.header("ratelimit-limit"), first.header("ratelimit-remaining")), ("5", "4"));
    for _ in 0..4 {
        site.nobody().get("/guilds/1/10").await.ok();
    }
    let limited = site.nobody().get("/guilds/1/10").await;
    assert!((1..=60).contains(&limited.header("retry-after").parse::<u32>().unwrap()));
    limited.problem(429, "too_many_requests");
    // An account is counted for itself.
    site.game().put("/game/characters", json!({ "characters": [] })).await.result();
    // Health is not limited.
    site.nobody().get("/healthz").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_metrics_and_documentation_are_there() {
    let site = Site::start().await;
    assert_eq!(site.nobody().get("/healthz").await.ok()["status"], "ok");
    let ready = site.nobody().get("/readyz").await.ok();
    assert_eq!((&ready["database"], &ready["queue"]), (&json!(true), &json!(true)));
    assert_eq!(site.nobody().get("/metrics").await.status, 200);
    let docs = site.nobody().get("/docs").await;
    let page = docs.body.as_str().unwrap();
    assert!(page.contains("/guild/create-guild"));
    for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(outside), "the documentation needs {outside}");
    }
    assert!(docs.header("content-security-policy").contains("default-src 'self'"));
    let answer = site.nobody().get("/guilds/1/10").await;
    for (name, value) in [
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(answer.header(name), value);
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_answered_as_get_without_the_body() {
    let site = Site::start().await;
    let get = site.nobody().get("/guilds/1/10").await;
    let head = send(site.nobody().request(Method::HEAD, "/guilds/1/10")).await;
    assert_eq!((head.status, head.header("etag"), &head.body), (200, get.header("etag"), &json!("")));
    assert_eq!(send(site.nobody().request(Method::HEAD, "/nowhere")).await.status, 404);
    site.finish().await;
}
