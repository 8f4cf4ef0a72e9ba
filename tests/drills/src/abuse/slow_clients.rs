//! Slow clients: they keep a connection open without completing a request or reading a response.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use anyhow::Context;
use futures_util::future::join_all;
use guildhall_testkit::http::raw_connection::{ExchangeResult, RawConnection};
use http::Method;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, time::sleep};

use super::site::{AbuseSite, request};

/// The number of clients of each kind.
const CLIENTS: u8 = 40;

/// The interval between two bytes of a slow client.
const BYTE_INTERVAL: Duration = Duration::from_secs(2);

/// The time limits until the server has closed a connection: some seconds more than the limits of the api's server.
const HEAD_TIME_LIMIT: Duration = Duration::from_secs(20);
const BODY_TIME_LIMIT: Duration = Duration::from_secs(15);
const WRITE_TIME_LIMIT: Duration = Duration::from_secs(35);
const IDLE_TIME_LIMIT: Duration = Duration::from_secs(85);

/// A client that does not read the response is disconnected after 30 s without progress. Reading the bytes sent before takes time.
const UNREAD_TIME_LIMIT: Duration = Duration::from_secs(70);

/// The result of one kind of client: the server closed the last connection after this time.
pub(super) struct Closed {
    pub(super) kind: &'static str,
    pub(super) after: Duration,
}

/// A client that sends the beginning of a request, and then a few bytes at an interval.
struct SlowClient {
    kind: &'static str,
    /// Whether it gets the response to another request first.
    completes_one_request: bool,
    beginning: &'static [u8],
    repeated: &'static [u8],
    time_limit: Duration,
}

const SLOW_CLIENTS: [SlowClient; 8] = [
    SlowClient {
        kind: "no bytes",
        completes_one_request: false,
        beginning: b"",
        repeated: b"",
        time_limit: HEAD_TIME_LIMIT,
    },
    SlowClient {
        kind: "a head, byte by byte",
        completes_one_request: false,
        beginning: b"GET / HTTP/1.1\r\nX: ",
        repeated: b"y",
        time_limit: HEAD_TIME_LIMIT,
    },
    SlowClient {
        kind: "a head, line by line",
        completes_one_request: false,
        beginning: b"GET / HTTP/1.1\r\n",
        repeated: b"X-A: b\r\n",
        time_limit: HEAD_TIME_LIMIT,
    },
    SlowClient {
        kind: "empty lines",
        completes_one_request: false,
        beginning: b"\r\n",
        repeated: b"\r\n",
        time_limit: HEAD_TIME_LIMIT,
    },
    SlowClient {
        kind: "a body, byte by byte",
        completes_one_request: false,
        beginning: b"POST /auth HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
        repeated: b" ",
        time_limit: BODY_TIME_LIMIT,
    },
    SlowClient {
        kind: "a body, chunk by chunk",
        completes_one_request: false,
        beginning: b"POST /auth HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        repeated: b"1\r\n \r\n",
        time_limit: BODY_TIME_LIMIT,
    },
    SlowClient {
        kind: "idle after a response",
        completes_one_request: true,
        beginning: b"",
        repeated: b"",
        time_limit: IDLE_TIME_LIMIT,
    },
    SlowClient {
        kind: "half a head after a response",
        completes_one_request: true,
        beginning: b"GET / HTTP/1.1\r\n",
        repeated: b"X",
        time_limit: HEAD_TIME_LIMIT,
    },
];

/// Runs all kinds of slow clients at the same time.
///
/// # Errors
/// When no payment can be created.
pub(super) async fn run_all(site: &AbuseSite, player: &str) -> anyhow::Result<Vec<Closed>> {
    let clients = SLOW_CLIENTS
        .iter()
        .map(|slow| run_clients(site, slow.kind, slow.time_limit, |number| send_slowly(site, slow, number)));
    let (mut closed, unread, streams) = tokio::join!(
        join_all(clients),
        run_clients(site, "unread responses", UNREAD_TIME_LIMIT, |_| leave_unread(site)),
        open_unread_streams(site, player),
    );
    streams?;
    closed.push(unread);
    Ok(closed)
}

/// Runs the clients of one kind. Each ends when the server has closed its connection.
async fn run_clients<F>(
    site: &AbuseSite,
    kind: &'static str,
    time_limit: Duration,
    client: impl Fn(u8) -> F,
) -> Closed
where
    F: Future<Output = anyhow::Result<()>>,
{
    let started = Instant::now();
    let results = tokio::time::timeout(time_limit, join_all((0..CLIENTS).map(client))).await;
    let after = started.elapsed();
    match results {
        Ok(all) => {
            for result in all {
                site.check(result.is_ok(), || format!("{kind}: {:?}", result.err()));
            }
        }
        Err(_) => site.check(false, || format!("{kind}: not closed within {time_limit:?}")),
    }
    Closed { kind, after }
}

/// Each client of a kind has an address of its own: the api receives only some bodies of one address at the same time.
async fn send_slowly(site: &AbuseSite, slow: &SlowClient, number: u8) -> anyhow::Result<()> {
    let source = IpAddr::V4(Ipv4Addr::new(127, 0, 1, number));
    let mut connection = RawConnection::open_from(source, site.address).await?;
    if slow.completes_one_request {
        let first = connection.exchange(&request("GET /guilds/1/10", &[], b""), BYTE_INTERVAL * 5).await;
        site.check_result("a first request", &first, &[200]);
    }
    connection.stream.write_all(slow.beginning).await?;
    loop {
        match connection.exchange(slow.repeated, BYTE_INTERVAL).await {
            result @ ExchangeResult::Response(_) => {
                site.check_result(slow.kind, &result, &[408]);
                return Ok(());
            }
            ExchangeResult::Closed => return Ok(()),
            ExchangeResult::TimedOut => {}
        }
    }
}

/// Requests large responses and does not read them. It reads later, to count the bytes that were already sent.
async fn leave_unread(site: &AbuseSite) -> anyhow::Result<()> {
    const PAGES: usize = 30;
    let mut connection = RawConnection::open_with_small_buffer(site.address).await?;
    let page = request("GET /openapi.json", &[], b"");
    connection.stream.write_all(&page.repeat(PAGES)).await?;
    sleep(WRITE_TIME_LIMIT).await;
    let (is_closed, bytes) =
        connection.read_to_end(UNREAD_TIME_LIMIT - WRITE_TIME_LIMIT - BYTE_INTERVAL).await;
    anyhow::ensure!(is_closed, "the connection is still open after {bytes} bytes");
    anyhow::ensure!(bytes < PAGES * 200_000, "the server has kept all {bytes} bytes");
    Ok(())
}

/// Opens event streams and does not read them. A player may have ten; closed ones do not count.
async fn open_unread_streams(site: &AbuseSite, player: &str) -> anyhow::Result<()> {
    let packages = site.send("", Method::GET, "/payments/packages", &Value::Null).await?.1;
    let body = json!({ "package_id": packages["items"][0]["package_id"] });
    let (_, payment) = site.send(player, Method::POST, "/payments/instant/qrcode", &body).await?;
    let id = payment["result"]["payment_id"].as_str().with_context(|| format!("no payment: {payment}"))?;
    let bearer = format!("Bearer {player}");
    let follow = request(&format!("GET /payments/{id}/events"), &[("Authorization", &bearer)], b"");
    let mut streams = vec![];
    for number in 0..12 {
        let mut connection = RawConnection::open_with_small_buffer(site.address).await?;
        let result = connection.exchange(&follow, BYTE_INTERVAL * 5).await;
        site.check_result(&format!("stream {number}"), &result, if number < 10 { &[200] } else { &[429] });
        streams.push(connection);
    }
    sleep(IDLE_TIME_LIMIT).await;
    drop(streams);
    // The server notices a closed stream when it sends the next keep-alive.
    sleep(BYTE_INTERVAL * 6).await;
    let again = RawConnection::open(site.address).await?.exchange(&follow, BYTE_INTERVAL * 5).await;
    site.check_result("a stream after all were closed", &again, &[200]);
    Ok(())
}
