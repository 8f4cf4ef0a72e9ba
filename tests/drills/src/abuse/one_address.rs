//! One address that keeps thousands of connections open, in each state that a connection has.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use futures_util::future::join_all;
use guildhall_testkit::http::{raw_connection::RawConnection, registration};
use http::Method;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    background_clients,
    limits::Limits,
    site::{AbuseSite, request},
};

/// The address of the connections. The other clients of the drill use 127.0.0.1.
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 66));

/// The number of connections: more than an api allows in total.
pub(super) const CONNECTIONS: usize = 4_400;

/// The time for which they stay open, or are opened again.
const DURATION: Duration = Duration::from_secs(15);

/// The time in which they are opened: other clients share the processors with this program, too.
const OPENING: Duration = Duration::from_secs(3);

/// The time after which a closed connection is opened again.
const REOPEN_DELAY: Duration = Duration::from_secs(5);

/// The accounts that open event streams: together they may open more than one address may.
const ACCOUNTS: usize = 40;

/// What each connection sends before it becomes silent.
struct Beginning {
    title: &'static str,
    /// The first connection sends the first request, and so on.
    requests: Vec<Vec<u8>>,
}

/// Opens the connections in each state in turn, while background clients read the site.
///
/// # Errors
/// When the accounts cannot be prepared.
pub(super) async fn hold_all(site: &Arc<AbuseSite>, limits: &Limits) -> anyhow::Result<()> {
    for beginning in beginnings(site).await? {
        let title = beginning.title;
        let (count, background) = background_clients::run_beside(&site.http, hold(site, beginning)).await?;
        println!("one address, {CONNECTIONS} connections with {title}: {count} were opened");
        println!("    background clients: {background}");
        limits.check_background(site, &background);
    }
    Ok(())
}

async fn beginnings(site: &AbuseSite) -> anyhow::Result<[Beginning; 4]> {
    let head = b"GET /guilds/1/10 HTTP/1.1\r\nHost: drill\r\n".to_vec();
    let body = b"POST /auth HTTP/1.1\r\nHost: drill\r\nContent-Length: 1000\r\n\r\n".to_vec();
    Ok([
        Beginning { title: "half a head", requests: vec![head] },
        Beginning { title: "half a body", requests: vec![body] },
        Beginning { title: "half a large body", requests: vec![half_large_body()] },
        Beginning { title: "event streams", requests: event_streams(site).await? },
    ])
}

/// A signature of a payment provider is verified with the whole body, so a stranger can begin such a body.
fn half_large_body() -> Vec<u8> {
    let timestamp = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let head = format!(
        "POST /payments/instant/webhook HTTP/1.1\r\nHost: drill\r\nwebhook-id: 1\r\nwebhook-timestamp: {timestamp}\r\n\
         webhook-signature: v1,AAAA\r\nContent-Length: 200000\r\n\r\n"
    );
    [head.into_bytes(), vec![b' '; 70_000]].concat()
}

/// Requests of several accounts, each for the events of an own payment.
async fn event_streams(site: &AbuseSite) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut requests = vec![];
    for _ in 0..ACCOUNTS {
        let name = format!("drill_{}", &uuid::Uuid::new_v4().simple().to_string()[..20]);
        let account = registration(&name, "correct horse");
        site.send("", Method::POST, "/accounts/register", &account).await?;
        let log_in = json!({ "login": name, "password": "correct horse" });
        let (_, session) = site.send("", Method::POST, "/auth", &log_in).await?;
        let token = session["access_token"].as_str().context("no access token")?;
        let payment = json!({ "package_id": 1 });
        let (_, payment) = site.send(token, Method::POST, "/payments/instant/qrcode", &payment).await?;
        let path = format!("GET /payments/{}/events", text(&payment["result"]["payment_id"])?);
        requests.push(request(&path, &[("Authorization", &format!("Bearer {token}"))], b""));
    }
    Ok(requests)
}

fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().with_context(|| format!("{value} is no text"))
}

/// Keeps the connections open. Returns how many were opened: the server closes some, and they are opened again.
async fn hold(site: &Arc<AbuseSite>, beginning: Beginning) -> usize {
    let stop = CancellationToken::new();
    let beginning = Arc::new(beginning);
    let clients = (0..CONNECTIONS).map(|number| {
        let (site, beginning, stop) = (site.clone(), beginning.clone(), stop.clone());
        tokio::spawn(async move {
            let bytes = &beginning.requests[number % beginning.requests.len()];
            let mut opened = 0;
            let reopen = async {
                sleep(OPENING * number as u32 / CONNECTIONS as u32).await;
                loop {
                    opened += usize::from(open_and_wait(&site, bytes).await.is_ok());
                    sleep(REOPEN_DELAY).await;
                }
            };
            stop.run_until_cancelled(reopen).await;
            opened
        })
    });
    let clients: Vec<_> = clients.collect();
    sleep(DURATION).await;
    stop.cancel();
    join_all(clients).await.into_iter().filter_map(Result::ok).sum()
}

/// Returns when the server has closed the connection.
async fn open_and_wait(site: &AbuseSite, bytes: &[u8]) -> std::io::Result<()> {
    let mut connection = RawConnection::open_from(ADDRESS, site.address).await?;
    connection.stream.write_all(bytes).await?;
    connection.read_to_end(DURATION).await;
    Ok(())
}
