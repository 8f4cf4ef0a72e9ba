//! Requests at the level of bytes: HTTP versions, hosts, sizes.

use crate::support::{site::Site, socket::Socket};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_exactly_one_host() {
    let site = Site::start().await;
    for (head, status) in [
        ("GET /guilds/1/10 HTTP/1.1\r\n\r\n", "400"),
        ("GET /guilds/1/10 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        ("GET /guilds/1/10 HTTP/1.0\r\n\r\n", "200"),
    ] {
        let response = Socket::connect(&site).await.send(head).await;
        assert_eq!(response.split(' ').nth(1), Some(status), "{head}: {response}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_size_of_request_heads_is_limited() {
    let site = Site::start().await;
    let head =
        |length: usize| format!("GET /guilds/1/10 HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "y".repeat(length));
    for (length, status) in [(15_000, "200"), (17_000, "431"), (500_000, "431")] {
        let response = Socket::connect(&site).await.send(&head(length)).await;
        assert_eq!(response.split(' ').nth(1), Some(status), "{length}: {response}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_http_1_is_accepted() {
    let site = Site::start().await;
    for bytes in
        ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0"]
    {
        let response = Socket::connect(&site).await.send(bytes).await;
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 400 "), "{bytes:?}: {response}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_require_authentication() {
    let site = Site::start().await;
    let token = format!("Authorization: Bearer {}", site.game_server().token());
    let body = " ".repeat(100_000);
    for (header, status) in [("X: without a token", "401"), (&token, "400")] {
        let head = "PUT /game/characters HTTP/1.1\r\nHost: a\r\nContent-Type: application/json";
        let request = format!("{head}\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let response = Socket::connect(&site).await.send(&request).await;
        assert_eq!(response.split(' ').nth(1), Some(status), "{response}");
    }
    site.finish().await;
}
