//! The limit of connections.

use std::net::{IpAddr, Ipv4Addr};

use guildhall_workers::site::queues::waiting_messages;
use http::Method;
use serde_json::json;

use crate::support::{
    community::PASSWORD,
    options::{Options, promptpay_payments},
    site::Site,
    socket::Socket,
    wait::{wait_for, wait_until},
};

/// Another address than that of the other clients.
pub(super) const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_for_a_new_one() {
    let site = Site::start_with(Options { connections: 3, ..Options::default() }).await;
    let mut sockets = vec![];
    for _ in 0..4 {
        let mut socket = Socket::connect(&site).await;
        assert!(socket.get("/guilds/1/10").await.starts_with("HTTP/1.1 200 "));
        sockets.push(socket);
    }
    // A connection that is to be closed may serve one more request.
    wait_for("one connection is closed", async || {
        let mut open = 0;
        for socket in &mut sockets {
            open += usize::from(!socket.get("/guilds/1/10").await.is_empty());
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
    assert_eq!(site.last_api().health.get("/healthz").await.status, 200);
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
    let body = guildhall_testkit::http::registration(name, PASSWORD).to_string();
    let length = body.len();
    format!(
        "POST /accounts/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
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
        let response = request.open().await.unwrap();
        (response.status, response)
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
        let stream = request.open().await.unwrap();
        assert_eq!(stream.status, status, "{forwarded}");
        open.push(stream);
    }
    site.finish().await;
}
