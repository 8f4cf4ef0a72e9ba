//! Connections, as bytes.

use std::time::Duration;

use futures_util::future::join_all;
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

/// A server knows a little later than its client that an answer has been sent.
async fn at_rest() {
    sleep(Duration::from_millis(300)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_been_idle_for_the_longest_time_makes_room() {
    let site = Site::with(Options { connections: 3, ..Options::default() }).await;
    let mut connections = vec![];
    for _ in 0..3 {
        let mut connection = Connection::open(&site).await;
        assert!(connection.get("/healthz").await.starts_with("HTTP/1.1 200 "));
        connections.push(connection);
        at_rest().await;
    }
    assert!(connections[0].get("/healthz").await.starts_with("HTTP/1.1 200 "));
    at_rest().await;
    let mut fourth = Connection::open(&site).await;
    assert!(fourth.get("/healthz").await.starts_with("HTTP/1.1 200 "));
    assert_eq!(connections[1].get("/healthz").await, "");
    for connection in [0, 2] {
        assert!(connections[connection].get("/healthz").await.starts_with("HTTP/1.1 200 "));
    }
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
    assert!(Connection::open(&site).await.get("/guilds/1/10").await.starts_with("HTTP/1.1 200 "));
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

/// Asks again until this status is answered.
async fn until(site: &Site, request: &str, status: &str) -> String {
    for _ in 0..1000 {
        let answer = Connection::open(site).await.ask(request).await;
        if answer.split(' ').nth(1) == Some(status) {
            return answer;
        }
    }
    panic!("never {status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn few_large_bodies_are_read_at_one_time() {
    let site = Site::start().await;
    let game = format!("Authorization: Bearer {}", site.game().token.as_deref().unwrap());
    let head = |token: &str, length: usize| {
        let head = "PUT /game/characters HTTP/1.1\r\nHost: a\r\nContent-Type: application/json";
        format!("{head}\r\n{token}\r\nContent-Length: {length}\r\n\r\n")
    };
    let large = " ".repeat(100_000);
    // All at once, since each has ten seconds.
    let waiting = join_all((0..64).map(|_| async {
        let mut connection = Connection::open(&site).await;
        connection.0.write_all(head(&game, 100_001).as_bytes()).await.unwrap();
        connection.0.write_all(large.as_bytes()).await.unwrap();
        connection
    }))
    .await;
    // Those are being read by and by.
    let whole = head(&game, 100_000) + &large;
    let refused = until(&site, &whole, "503").await;
    assert!(refused.contains("\"busy\"") && refused.contains("retry-after: 1"), "{refused}");
    let small = Connection::open(&site).await.ask(&(head(&game, 2) + "{}")).await;
    assert!(small.starts_with("HTTP/1.1 400 "), "{small}");
    let stranger = Connection::open(&site).await.ask(&(head("X: y", 100_000) + &large)).await;
    assert!(stranger.starts_with("HTTP/1.1 401 "), "{stranger}");
    drop(waiting);
    until(&site, &whole, "400").await;
    site.finish().await;
}
