//! Conditional requests, compression, HEAD.

use http::Method;
use serde_json::json;

use crate::support::{client::send, community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_response_is_not_sent_again() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    for path in ["/guilds/1/10", "/guild/view/Night%20Watch", "/news/list/1/10", "/shop/offers"] {
        let first = site.visitor().get(path).await;
        assert_eq!(first.header("cache-control"), "public, no-cache");
        let tag = first.header("etag").to_owned();
        let conditional =
            |tag: String| send(site.visitor().request(Method::GET, path).header("If-None-Match", tag));
        let unchanged = conditional(format!("\"other\", W/{tag}")).await;
        assert_eq!((unchanged.status, &unchanged.body), (304, &json!("")));
        assert_eq!(unchanged.header("etag"), tag);
        assert_eq!(conditional("*".to_owned()).await.status, 304);
        assert_eq!(conditional("\"other\"".to_owned()).await.status, 200);
    }
    let tag = site.visitor().get("/guild/view/Night%20Watch").await.header("etag").to_owned();
    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "new" })).await.result();
    let request =
        site.visitor().request(Method::GET, "/guild/view/Night%20Watch").header("If-None-Match", tag);
    assert_eq!(send(request).await.status, 200);
    assert_eq!(mira.get("/guild/view/Night%20Watch").await.header("cache-control"), "private, no-cache");
    site.finish().await;
}

/// A shared cache finds its stored response by these headers.
#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_response_has_the_tag_and_the_vary_of_the_whole_one() {
    let site = Site::start().await;
    let editor = site.player_with_role("nora", StaffRole::Editor).await;
    let post = json!({ "title": "Long", "body": "word ".repeat(1000) });
    let id = editor.post("/news/create", post).await.result()["post_id"].to_string();
    for encoding in ["gzip", "identity"] {
        let request = |tag: &str| {
            let request = site.visitor().request(Method::GET, &format!("/news/find/{id}"));
            let request = request.header("Accept-Encoding", encoding).header("If-None-Match", tag);
            async move { request.send().await.unwrap() }
        };
        let whole = request("\"other\"").await;
        let tag = whole.header("etag");
        let unchanged = request(tag).await;
        assert_eq!((whole.status, unchanged.status), (200, 304));
        assert_eq!(tag.starts_with("W/"), encoding == "gzip");
        assert_eq!(unchanged.header("etag"), tag);
        assert_eq!(unchanged.header("vary"), whole.header("vary"));
        assert!(unchanged.header("vary").contains("Accept-Encoding"));
        assert!(!unchanged.headers.contains_key("content-encoding"));
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_responses_are_compressed_if_the_client_accepts_it() {
    let site = Site::start().await;
    let get = |path: &str, accept: &'static str| {
        let request = site.visitor().request(Method::GET, path).header("Accept-Encoding", accept);
        async move { request.send().await.unwrap() }
    };
    let large = get("/openapi.json", "gzip").await;
    assert_eq!(large.headers["content-encoding"], "gzip");
    let vary: Vec<_> = large.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(vary.contains(&"Accept-Encoding"), "{vary:?}");
    assert_eq!(large.body[..2], [0x1f, 0x8b]);
    for (path, accept) in
        [("/openapi.json", "identity"), ("/openapi.json", "gzip;q=0"), ("/guilds/1/10", "gzip")]
    {
        let plain = get(path, accept).await;
        assert!(!plain.headers.contains_key("content-encoding"), "{path} {accept}");
        serde_json::from_slice::<serde_json::Value>(&plain.body).unwrap();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn head_returns_the_headers_of_get_without_a_body() {
    let site = Site::start().await;
    let get = site.visitor().get("/guilds/1/10").await;
    let head = send(site.visitor().request(Method::HEAD, "/guilds/1/10")).await;
    assert_eq!((head.status, head.header("etag"), &head.body), (200, get.header("etag"), &json!("")));
    assert_eq!(send(site.visitor().request(Method::HEAD, "/nowhere")).await.status, 404);
    site.finish().await;
}
