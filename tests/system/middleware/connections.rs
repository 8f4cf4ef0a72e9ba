//! The limit of connections.

use std::net::{IpAddr, Ipv4Addr};

use futures_util::future::select_all;
use guildhall_workers::operator::queues::waiting_messages;
use reqwest::Method;
use serde_json::json;

use crate::support::{
    community::PASSWORD,
    notification::WEBHOOK,
    options::{Options, WEBHOOK_SECRET, promptpay_payments},
    site::Site,
    socket::Socket,
    wait::{wait_for, wait_until},
};

/// Another address than that of the other clients.
const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_for_a_new_one() {
    let site = Site::start_with(Options { connections: 3, ..Options::default() }).await;
    let mut sockets = vec![];
    for _ in 0..4 {
        let mut socket = Socket::connect(&site).await;
        assert!(socket.get("/healthz").await.starts_with("HTTP/1.1 200 "));
        sockets.push(socket);
    }
    // A connection that is to be closed may serve one more request.
    wait_for("one connection is closed", async || {
        let mut open = 0;
        for socket in &mut sockets {
            open += usize::from(!socket.get("/healthz").await.is_empty());
        }
        assert!(open >= 3, "{open} connections are open");
        (open == 3).then_some(())
    })
    .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_with_a_request_is_not_closed_for_a_new_one() {
    let mut site = Site::start_with(Options { connections: 2, ..Options::default() }).await;
    site.stop_workers().await;
    let mut busy = vec![];
    for name in ["ana", "bia"] {
        let mut connection = Socket::connect(&site).await;
        connection.write(&registration(name)).await;
        busy.push(connection);
        // A connection whose request the api has not read yet may be closed for a new one.
        let expected = busy.len() as u32;
        wait_until("the command is queued", async || waiting_commands(&site).await == expected).await;
    }
    let refused = Socket::connect(&site).await.get("/guilds/1/10").await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("too_many_connections"), "{refused}");
    assert!(refused.contains("retry-after: 1") && refused.contains("connection: close"), "{refused}");
    let probed = Socket::connect(&site).await.get("/healthz").await;
    assert!(probed.starts_with("HTTP/1.1 200 "), "{probed}");
    site.start_workers();
    for connection in &mut busy {
        assert!(connection.send("").await.starts_with("HTTP/1.1 201 "));
    }
    site.finish().await;
}

async fn waiting_commands(site: &Site) -> u32 {
    let queues = waiting_messages(&site.workers).await.unwrap();
    queues.into_iter().map(|(_, messages)| messages).sum()
}

fn registration(name: &str) -> String {
    let body =
        json!({ "name": name, "email": format!("{name}@example.org"), "password": PASSWORD }).to_string();
    let length = body.len();
    format!(
        "POST /accounts/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// The head of a request with a body of this length.
fn head(line: &str, token: &str, length: usize) -> String {
    format!(
        "{line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_bodies_do_not_keep_others_out() {
    let site = Site::start_with(Options { connections: 50, ..Options::default() }).await;
    let mut silent = vec![];
    for _ in 0..60 {
        let mut connection = Socket::connect(&site).await;
        connection.write(&head(&format!("POST {WEBHOOK}?secret={WEBHOOK_SECRET}"), "none", 9)).await;
        silent.push(connection);
    }
    for _ in 0..10 {
        let response = Socket::connect(&site).await.get("/guilds/1/10").await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_use_all_connections() {
    let options = Options { connections: 50, connections_per_address: 10, ..Options::default() };
    let mut site = Site::start_with(options).await;
    site.stop_workers().await;
    let mut busy = vec![];
    for number in 0..60 {
        let mut connection = Socket::connect_from(STRANGER, &site).await;
        connection.write(&registration(&format!("player{number}"))).await;
        busy.push(connection);
    }
    wait_for("the address has no more connections", async || {
        let response = Socket::connect_from(STRANGER, &site).await.get("/guilds/1/10").await;
        (response.starts_with("HTTP/1.1 503 ") && response.contains("too_many_connections")).then_some(())
    })
    .await;
    for _ in 0..10 {
        let response = Socket::connect(&site).await.get("/guilds/1/10").await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    site.start_workers();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_without_valid_credentials_is_refused_before_it_arrives() {
    let site = Site::start().await;
    for (line, token) in [
        (format!("POST {WEBHOOK}?secret=wrong"), "none"),
        ("PUT /game/characters".to_owned(), "none"),
        ("POST /guild/create-guild".to_owned(), "none"),
    ] {
        let response = Socket::connect(&site).await.send(&head(&line, token, 60_000)).await;
        assert!(response.starts_with("HTTP/1.1 401 "), "{line}: {response}");
    }
    let response = Socket::connect(&site).await.send(&head("POST /nothing", "none", 60_000)).await;
    assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
    site.finish().await;
}

/// Sends a large body of the game server, with more lines of the head.
async fn send_large_body(site: &Site, more_head: &str) {
    let body = json!({ "characters": [] }).to_string() + &" ".repeat(70_000);
    let request = large_body_head(site, body.len(), more_head) + &body;
    let response = Socket::connect(site).await.send(&request).await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}

fn large_body_head(site: &Site, length: usize, more_head: &str) -> String {
    let token = site.game_server().token.clone().unwrap();
    head("PUT /game/characters", &token, length).replace("Host: a\r\n", &format!("Host: a\r\n{more_head}"))
}

/// Starts more large bodies than one address has slots, from `address` and with more lines of the head. One is refused.
async fn use_slots_for_large_bodies(site: &Site, address: IpAddr, more_head: &str) -> impl Sized + use<> {
    /// The slots of one address.
    const SLOTS: usize = 8;
    let started = large_body_head(site, 400_000, more_head) + &" ".repeat(70_000);
    let mut stalled = vec![];
    for _ in 0..=SLOTS {
        let (mut connection, started) = (Socket::connect_from(address, site).await, started.clone());
        stalled.push(Box::pin(async move { connection.send(&started).await }));
    }
    // One body has no slot. The others would be refused when their time is over.
    let (refused, _, stalled) = select_all(stalled).await;
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    stalled
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_use_all_slots_for_large_bodies() {
    let site = Site::start().await;
    let _stalled = use_slots_for_large_bodies(&site, STRANGER, "").await;
    send_large_body(&site, "").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_the_slots_belong_to_the_forwarded_address() {
    let site = Site::start_with(Options { has_trusted_proxy: true, ..Options::default() }).await;
    let proxy = Ipv4Addr::LOCALHOST.into();
    let _stalled = use_slots_for_large_bodies(&site, proxy, "X-Forwarded-For: 203.0.113.1\r\n").await;
    send_large_body(&site, "X-Forwarded-For: 203.0.113.2\r\n").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_with_invented_signatures_do_not_use_the_slots_of_others() {
    /// The slots of all addresses together, and those of one address.
    const SLOTS: usize = 64;
    const OF_ONE_ADDRESS: usize = 8;
    let site = Site::start().await;
    let timestamp = chrono::Utc::now().timestamp();
    let signature =
        format!("webhook-id: a\r\nwebhook-timestamp: {timestamp}\r\nwebhook-signature: v1,AAAA\r\n");
    let started = format!(
        "POST {WEBHOOK} HTTP/1.1\r\nhost: site\r\n{signature}content-length: 200000\r\n\r\n{}",
        " ".repeat(70_000)
    );
    let mut stalled = vec![];
    for number in 0..=SLOTS {
        let address = Ipv4Addr::new(127, 0, 0, 2 + (number / OF_ONE_ADDRESS) as u8);
        let (mut connection, started) = (Socket::connect_from(address.into(), &site).await, started.clone());
        stalled.push(Box::pin(async move { connection.send(&started).await }));
    }
    // One body has no slot, so all slots are in use that these bodies can have.
    let (refused, _, _stalled) = select_all(stalled).await;
    assert!(["HTTP/1.1 429 ", "HTTP/1.1 503 "].iter().any(|status| refused.starts_with(status)), "{refused}");
    send_large_body(&site, "").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn event_streams_are_limited_per_address_and_in_total() {
    let options = Options {
        connections: 8,
        connections_per_address: 4,
        payments: promptpay_payments(),
        ..Options::default()
    };
    let site = Site::start_with(options).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let player = site.player("ana").await;
    let payment = player.post("/payments/instant/qrcode", json!({ "coins": 10 })).await.result();
    let path = format!("/payments/{}/events", payment["payment_id"].as_str().unwrap());
    let follow = async |last_byte| {
        let request = player.with_address(IpAddr::from([127, 0, 0, last_byte])).request(Method::GET, &path);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response)
    };
    let mut open = vec![];
    for (address, status) in [(2, 200), (2, 200), (2, 429), (3, 200), (3, 200), (4, 503)] {
        let (received, stream) = follow(address).await;
        assert_eq!(received, status, "127.0.0.{address}");
        open.push(stream);
    }
    assert_eq!(site.visitor().get("/guilds/1/10").await.status, 200);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_event_streams_are_limited_per_forwarded_address() {
    let options = Options {
        connections: 16,
        connections_per_address: 4,
        has_trusted_proxy: true,
        payments: promptpay_payments(),
        ..Options::default()
    };
    let site = Site::start_with(options).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let player = site.player("ana").await;
    let payment = player.post("/payments/instant/qrcode", json!({ "coins": 10 })).await.result();
    let path = format!("/payments/{}/events", payment["payment_id"].as_str().unwrap());
    let mut open = vec![];
    for (address, status) in [(1, 200), (1, 200), (1, 429), (2, 200)] {
        let forwarded = format!("203.0.113.{address}");
        let request = player.request(Method::GET, &path).header("X-Forwarded-For", &forwarded);
        let stream = request.send().await.unwrap();
        assert_eq!(stream.status(), status, "{forwarded}");
        open.push(stream);
    }
    site.finish().await;
}
