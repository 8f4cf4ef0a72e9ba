//! Every error is a problem document.

use http::Method;

use crate::support::{client::send, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn every_error_is_a_problem_document() {
    let site = Site::start().await;
    let (visitor, mira) = (site.visitor(), site.player("mira").await);
    visitor.get("/nowhere").await.problem(404, "no_such_path");
    for method in [Method::DELETE, Method::TRACE, Method::OPTIONS, Method::from_bytes(b"QUERY").unwrap()] {
        let refused = send(visitor.request(method, "/guilds/1/10")).await;
        assert_eq!(refused.header("allow"), "GET, HEAD");
        refused.problem(405, "method_not_allowed");
    }
    send(visitor.request(Method::GET, "/guild/view/%ff")).await.invalid("name");
    visitor.delete("/openapi.json").await.problem(405, "method_not_allowed");
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
    let nested = mira.request(Method::POST, "/guild/delete").header("content-type", "application/json");
    send(nested.body(deep)).await.problem(400, "invalid_request");
    let invalid = mira.request(Method::POST, "/guild/delete").header("content-type", "application/json");
    send(invalid.body(b"{\"guild_id\": \"\xff\"}".to_vec())).await.problem(400, "invalid_request");
    site.finish().await;
}
