//! Thousands of idle connections at the same time.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use guildhall_testkit::{
    http::raw_connection::{ExchangeResult, RawConnection},
    resource_usage::ResourceUsage,
};

use super::{
    background_clients,
    limits::Limits,
    site::{AbuseSite, request},
};
use crate::process::Part;

/// The addresses of the connections. An api limits the connections of each.
const ADDRESSES: u8 = 64;

/// The number of connections that are opened at the same time.
const CONCURRENT_OPENS: usize = 64;

/// The time for which all connections stay open while the background clients continue.
const IDLE_TIME: Duration = Duration::from_secs(10);

/// The time limit until the server has closed the last idle connection.
const CLOSE_TIME_LIMIT: Duration = Duration::from_secs(90);

/// The number of connections that an api must keep open: it allows 4,096, and other clients need some.
const MIN_OPEN: usize = 4000;

/// The memory in KiB that the allocator may keep for later.
pub(super) const RETAINED_MEMORY: u64 = 80 * 1024;

/// Whether the clients send one request before they become idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstRequest {
    Never,
    Once,
}

/// Opens idle connections and waits until the server has closed all of them. Returns the api's usage after that.
///
/// # Errors
/// When the api does not run.
pub(super) async fn open_many(
    site: &AbuseSite,
    limits: &Limits,
    count: usize,
    first_request: FirstRequest,
) -> anyhow::Result<ResourceUsage> {
    let before = site.stack.usage(Part::Api)?;
    let work = open_and_wait(site, count, first_request);
    let (result, background) = background_clients::run_beside(&site.http, work).await?;
    let (open, during) = result?;
    let after = usage_after_close(site, before).await?;
    let bytes_each =
        (during.memory.saturating_sub(before.memory) * 1024).checked_div(open as u64).unwrap_or_default();
    println!(
        "{count} idle connections, request before: {first_request:?}: {open} stayed open ({bytes_each} bytes each); api {before}; {during}; {after}"
    );
    println!("    background clients: {background}");
    limits.check_background(site, &background);
    site.check(open >= count.min(MIN_OPEN), || format!("only {open} of {count} connections stayed open"));
    site.check(during.files <= before.files + open as u64 + 200, || {
        format!("{} files for {open} connections", during.files)
    });
    let is_released = after.files <= before.files + 10 && after.memory <= before.memory + RETAINED_MEMORY;
    site.check(is_released, || format!("{before} before, {after} after {count} connections"));
    Ok(after)
}

async fn open_and_wait(
    site: &AbuseSite,
    count: usize,
    first_request: FirstRequest,
) -> anyhow::Result<(usize, ResourceUsage)> {
    let bytes = &request("GET /guilds/1/10", &[], b"")[..];
    let opens = stream::iter(0..count).map(|number| async move {
        let address = IpAddr::from([127, 0, 1, (number % usize::from(ADDRESSES)) as u8 + 1]);
        let mut connection = RawConnection::open_from(address, site.address).await.ok()?;
        match first_request {
            FirstRequest::Never => Some(connection),
            FirstRequest::Once => match connection.exchange(bytes, Duration::from_secs(10)).await {
                ExchangeResult::Response(response) => (response.status == 200).then_some(connection),
                ExchangeResult::Closed | ExchangeResult::TimedOut => None,
            },
        }
    });
    let started = Instant::now();
    let connections: Vec<Option<RawConnection>> = opens.buffer_unordered(CONCURRENT_OPENS).collect().await;
    let time = started.elapsed();
    let refused = connections.iter().filter(|connection| connection.is_none()).count();
    println!("    opened within {time:.1?}; {refused} were refused");
    tokio::time::sleep(IDLE_TIME).await;
    let usage = site.stack.usage(Part::Api)?;
    let mut connections: Vec<RawConnection> = connections.into_iter().flatten().collect();
    let open = connections.iter_mut().filter(|connection| is_open(connection)).count();
    let closes = stream::iter(connections)
        .map(|mut connection| async move { connection.read_to_end(CLOSE_TIME_LIMIT).await.0 });
    let closes = closes.buffer_unordered(count);
    let not_closed = closes.filter(|is_closed| std::future::ready(!is_closed)).count().await;
    site.check(not_closed == 0, || {
        format!("the server did not close {not_closed} of {count} idle connections")
    });
    Ok((open, usage))
}

/// Whether the server has not closed the connection.
fn is_open(connection: &RawConnection) -> bool {
    let mut byte = [0];
    let read = connection.stream.try_read(&mut byte);
    matches!(read, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}

/// The usage when the files of the connections are closed, or after half a minute.
async fn usage_after_close(site: &AbuseSite, before: ResourceUsage) -> anyhow::Result<ResourceUsage> {
    for _ in 0..30 {
        if site.stack.usage(Part::Api)?.files <= before.files + 10 {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    site.stack.usage(Part::Api)
}
