//! Bodies that arrive slowly or not at all, and large ones.

use std::net::{IpAddr, Ipv4Addr};

use futures_util::future::select_all;
use serde_json::json;

use super::connections::STRANGER;
use crate::support::{
    notification::WEBHOOK,
    options::{Options, WEBHOOK_SECRET},
    site::Site,
    socket::Socket,
};

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
    let token = site.game_server().token().to_owned();
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
async fn behind_a_proxy_the_slots_for_small_bodies_belong_to_the_forwarded_address() {
    let options = Options {
        connections: 16,
        connections_per_address: 8,
        has_trusted_proxy: true,
        ..Options::default()
    };
    let site = Site::start_with(options).await;
    let send_from = async |forwarded: u8, length: usize, body: &str| {
        let head = head("POST /auth", "none", length);
        let head =
            head.replace("Host: a\r\n", &format!("Host: a\r\nX-Forwarded-For: 203.0.113.{forwarded}\r\n"));
        Socket::connect(&site).await.send(&(head + body)).await
    };
    let log_in = json!({ "login": "nobody", "password": "wrong horse" }).to_string();
    // A quarter of the connections of an address can wait for their bodies.
    let mut stalled = vec![];
    for _ in 0..3 {
        stalled.push(Box::pin(send_from(1, 9, "")));
    }
    let (refused, _, stalled) = select_all(stalled).await;
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    let response = send_from(2, log_in.len(), &log_in).await;
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    drop(stalled);
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
