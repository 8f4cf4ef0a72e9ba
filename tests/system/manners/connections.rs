//! Connections, as bytes.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use crate::support::{Options, Site};

struct Connection(TcpStream);

impl Connection {
    async fn open(site: &Site) -> Self {
        Self(TcpStream::connect(site.url.trim_start_matches("http://")).await.unwrap())
    }

    /// Sends this and answers what comes next; empty when the connection has been closed.
    async fn ask(&mut self, bytes: &str) -> String {
        let mut answer = vec![0; 16 * 1024];
        // A connection that was closed tells so one way or the other.
        let _ = self.0.write_all(bytes.as_bytes()).await;
        let read = self.0.read(&mut answer).await.unwrap_or(0);
        String::from_utf8_lossy(&answer[..read]).into_owned()
    }

    async fn get(&mut self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_nothing_makes_room() {
    let site = Site::with(Options { connections: 3, ..Options::default() }).await;
    let mut connections = vec![];
    for _ in 0..4 {
        let mut connection = Connection::open(&site).await;
        assert!(connection.get("/healthz").await.starts_with("HTTP/1.1 200 "));
        connections.push(connection);
    }
    let mut standing = 0;
    // Who was about to be closed may have been served once more.
    for _ in 0..2 {
        standing = 0;
        sleep(Duration::from_millis(100)).await;
        for connection in &mut connections {
            standing += usize::from(!connection.get("/healthz").await.is_empty());
        }
    }
    assert_eq!(standing, 3);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_being_served_makes_no_room() {
    let site = Site::with(Options { connections: 2, ..Options::default() }).await;
    let mut served = vec![];
    for _ in 0..2 {
        let mut connection = Connection::open(&site).await;
        let head = "POST /auth HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        assert!(connection.ask(head).await.starts_with("HTTP/1.1 100 "));
        served.push(connection);
    }
    let refused = Connection::open(&site).await.get("/guilds/1/10").await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("too_many_connections"), "{refused}");
    assert!(refused.contains("retry-after: 1") && refused.contains("connection: close"), "{refused}");
    let probed = Connection::open(&site).await.get("/healthz").await;
    assert!(probed.starts_with("HTTP/1.1 200 "), "{probed}");
    for connection in &mut served {
        assert!(connection.ask("{}").await.starts_with("HTTP/1.1 415 "));
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_names_one_host() {
    let site = Site::start().await;
    for (head, status) in [
        ("GET /guilds/1/10 HTTP/1.1\r\n\r\n", "400"),
        ("GET /guilds/1/10 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        ("GET /guilds/1/10 HTTP/1.0\r\n\r\n", "200"),
    ] {
        let answer = Connection::open(&site).await.ask(head).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{head}: {answer}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_have_a_largest_size() {
    let site = Site::start().await;
    let head =
        |length: usize| format!("GET /guilds/1/10 HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "y".repeat(length));
    for (length, status) in [(15_000, "200"), (17_000, "431"), (500_000, "431")] {
        let answer = Connection::open(&site).await.ask(&head(length)).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{length}: {answer}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_http_1_is_spoken() {
    let site = Site::start().await;
    for noise in
        ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0"]
    {
        let answer = Connection::open(&site).await.ask(noise).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{noise:?}: {answer}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_are_for_who_is_known() {
    let site = Site::start().await;
    let game = format!("Authorization: Bearer {}", site.game().token.as_deref().unwrap());
    let body = " ".repeat(100_000);
    for (who, status) in [("X: nobody", "401"), (&game, "400")] {
        let head = "PUT /game/characters HTTP/1.1\r\nHost: a\r\nContent-Type: application/json";
        let request = format!("{head}\r\n{who}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let answer = Connection::open(&site).await.ask(&request).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{answer}");
    }
    site.finish().await;
}
