//! Clients that keep a connection and do not get on with it.

use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, time::sleep};

use super::{
    connection::{Connection, Got},
    site::{Site, request},
};

/// Clients of each kind.
const EACH: usize = 40;

/// Between two bytes of a slow client.
const PAUSE: Duration = Duration::from_secs(2);

/// When the server has given up each of them; some seconds more than the limits in `api/src/serve/crowd.rs`.
const HEAD_WITHIN: Duration = Duration::from_secs(20);
const BODY_WITHIN: Duration = Duration::from_secs(15);
const STUCK_WITHIN: Duration = Duration::from_secs(35);
const SILENT_WITHIN: Duration = Duration::from_secs(85);

/// With the time to read what was sent before.
const UNTAKEN_WITHIN: Duration = Duration::from_secs(70);

/// How a kind of client was ended: the last of them after this time.
pub(super) struct Ended {
    pub(super) kind: &'static str,
    pub(super) after: Duration,
}

/// A client that sends the beginning, and then a little from time to time.
struct Trickle {
    kind: &'static str,
    /// It is answered once before.
    known: bool,
    beginning: &'static [u8],
    little: &'static [u8],
    within: Duration,
}

const TRICKLES: [Trickle; 8] = [
    Trickle { kind: "silent from the start", known: false, beginning: b"", little: b"", within: HEAD_WITHIN },
    Trickle {
        kind: "a head, byte by byte",
        known: false,
        beginning: b"GET / HTTP/1.1\r\nX: ",
        little: b"y",
        within: HEAD_WITHIN,
    },
    Trickle {
        kind: "a head, line by line",
        known: false,
        beginning: b"GET / HTTP/1.1\r\n",
        little: b"X-A: b\r\n",
        within: HEAD_WITHIN,
    },
    Trickle { kind: "empty lines", known: false, beginning: b"\r\n", little: b"\r\n", within: HEAD_WITHIN },
    Trickle {
        kind: "a body, byte by byte",
        known: false,
        beginning: b"POST /auth HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
        little: b" ",
        within: BODY_WITHIN,
    },
    Trickle {
        kind: "a body, chunk by chunk",
        known: false,
        beginning: b"POST /auth HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        little: b"1\r\n \r\n",
        within: BODY_WITHIN,
    },
    Trickle {
        kind: "silent after an answer",
        known: true,
        beginning: b"",
        little: b"",
        within: SILENT_WITHIN,
    },
    Trickle {
        kind: "half a head after an answer",
        known: true,
        beginning: b"GET / HTTP/1.1\r\n",
        little: b"X",
        within: HEAD_WITHIN,
    },
];

/// # Errors
/// When no payment can be asked for.
pub(super) async fn all(site: &Site, player: &str) -> anyhow::Result<Vec<Ended>> {
    let trickles = TRICKLES.iter().map(|slow| each(site, slow.kind, slow.within, || trickle(site, slow)));
    let (mut ended, untaken, streams) = tokio::join!(
        join_all(trickles),
        each(site, "an answer not taken", UNTAKEN_WITHIN, || untaken(site)),
        unread_streams(site, player),
    );
    streams?;
    ended.push(untaken);
    Ok(ended)
}

/// So many clients of one kind; each tells whether it was ended by the server.
async fn each<F>(site: &Site, kind: &'static str, within: Duration, client: impl Fn() -> F) -> Ended
where
    F: Future<Output = anyhow::Result<()>>,
{
    let began = Instant::now();
    let ended = tokio::time::timeout(within, join_all((0..EACH).map(|_| client()))).await;
    let after = began.elapsed();
    match ended {
        Ok(all) => {
            for client in all {
                site.expect(client.is_ok(), || format!("{kind}: {:?}", client.err()));
            }
        }
        Err(_) => site.expect(false, || format!("{kind}: not ended within {within:?}")),
    }
    Ended { kind, after }
}

async fn trickle(site: &Site, slow: &Trickle) -> anyhow::Result<()> {
    let mut connection = Connection::open(site.address).await?;
    if slow.known {
        let first = connection.exchange(&request("GET /guilds/1/10", &[], b""), PAUSE * 5).await;
        site.judge("a first request", &first, &[200]);
    }
    connection.stream.write_all(slow.beginning).await?;
    loop {
        match connection.exchange(slow.little, PAUSE).await {
            got @ Got::Answer(_) => {
                site.judge(slow.kind, &got, &[408]);
                return Ok(());
            }
            Got::Closed => return Ok(()),
            Got::Hung => {}
        }
    }
}

/// Asks for a lot and takes nothing of it. What comes when it does is what was on its way when the server gave up.
async fn untaken(site: &Site) -> anyhow::Result<()> {
    const PAGES: usize = 30;
    let mut connection = Connection::open_narrow(site.address).await?;
    let page = request("GET /openapi.json", &[], b"");
    connection.stream.write_all(&page.repeat(PAGES)).await?;
    sleep(STUCK_WITHIN).await;
    let (ended, bytes) = connection.drain(UNTAKEN_WITHIN - STUCK_WITHIN - PAUSE).await;
    anyhow::ensure!(ended, "after {bytes} bytes the connection still stands");
    anyhow::ensure!(bytes < PAGES * 200_000, "all of {bytes} bytes were kept for it");
    Ok(())
}

/// Streams that nobody reads: a player has ten of them and no more, and has them back when they are closed.
async fn unread_streams(site: &Site, player: &str) -> anyhow::Result<()> {
    let packages = site.ask("", Method::GET, "/payments/packages", &Value::Null).await?.1;
    let asked = json!({ "package_id": packages["items"][0]["package_id"] });
    let (_, payment) = site.ask(player, Method::POST, "/payments/instant/qrcode", &asked).await?;
    let id = payment["result"]["payment_id"].as_str().with_context(|| format!("no payment: {payment}"))?;
    let bearer = format!("Bearer {player}");
    let follow = request(&format!("GET /payments/{id}/events"), &[("Authorization", &bearer)], b"");
    let mut streams = vec![];
    for number in 0..12 {
        let mut connection = Connection::open_narrow(site.address).await?;
        let got = connection.exchange(&follow, PAUSE * 5).await;
        site.judge(&format!("stream {number}"), &got, if number < 10 { &[200] } else { &[429] });
        streams.push(connection);
    }
    sleep(SILENT_WITHIN).await;
    drop(streams);
    // That a client has gone is seen when the next sign of life cannot be sent.
    sleep(PAUSE * 6).await;
    let again = Connection::open(site.address).await?.exchange(&follow, PAUSE * 5).await;
    site.judge("a stream after all were closed", &again, &[200]);
    Ok(())
}
