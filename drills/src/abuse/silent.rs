//! Thousands of connections at once that ask nothing.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};

use super::{
    connection::{Connection, Got},
    ordinary,
    site::{Site, request},
};
use crate::{held::Held, stack::Part};

/// Connections that are being opened at one time.
const AT_ONCE: usize = 64;

/// How long they stay, while ordinary clients go on.
const STAY: Duration = Duration::from_secs(10);

/// When the server has ended the last of them.
const ENDED_WITHIN: Duration = Duration::from_secs(90);

/// Of those who are too many, so many stay: an api takes 4,096, and somebody else may be there.
const STAND: usize = 4000;

/// What the allocator may keep of it for the next time; KiB.
pub(super) const REMAINS: u64 = 80 * 1024;

/// Whether they ask once before they fall silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Never,
    Once,
}

/// Opens so many, waits until the server has ended them all, and answers what it holds then.
///
/// # Errors
/// When the api has gone.
pub(super) async fn crowd(site: &Site, count: usize, kind: Kind) -> anyhow::Result<Held> {
    let before = site.stack.held(Part::Api)?;
    let (outcome, times) = ordinary::meanwhile(&site.url, stay(site, count, kind)).await?;
    let (standing, held) = outcome?;
    let after = settled(site, before).await?;
    let each =
        (held.memory.saturating_sub(before.memory) * 1024).checked_div(standing as u64).unwrap_or_default();
    println!(
        "{count} connections that ask {kind:?}: {standing} stood ({each} bytes each); api {before}; {held}; {after}"
    );
    println!("    ordinary clients meanwhile: {times}");
    super::undisturbed(site, &times);
    site.expect(standing >= count.min(STAND), || format!("of {count} connections {standing} stood"));
    site.expect(held.files <= before.files + standing as u64 + 200, || {
        format!("{} files for {standing}", held.files)
    });
    let returned = after.files <= before.files + 10 && after.memory <= before.memory + REMAINS;
    site.expect(returned, || format!("{before} before, {after} after {count} connections"));
    Ok(after)
}

async fn stay(site: &Site, count: usize, kind: Kind) -> anyhow::Result<(usize, Held)> {
    let ask = request("GET /guilds/1/10", &[], b"");
    let opened = stream::iter(0..count).map(|_| async {
        let mut connection = Connection::open(site.address).await.ok()?;
        match kind {
            Kind::Never => Some(connection),
            Kind::Once => match connection.exchange(&ask, Duration::from_secs(10)).await {
                Got::Answer(answer) => (answer.status == 200).then_some(connection),
                Got::Closed | Got::Hung => None,
            },
        }
    });
    let began = Instant::now();
    let connections: Vec<Option<Connection>> = opened.buffer_unordered(AT_ONCE).collect().await;
    let took = began.elapsed();
    let refused = connections.iter().filter(|connection| connection.is_none()).count();
    println!("    opened within {took:.1?}; {refused} were refused");
    tokio::time::sleep(STAY).await;
    let held = site.stack.held(Part::Api)?;
    let mut connections: Vec<Connection> = connections.into_iter().flatten().collect();
    let standing = connections.iter_mut().filter_map(stands).count();
    let ended =
        stream::iter(connections).map(|mut connection| async move { connection.drain(ENDED_WITHIN).await.0 });
    let ended = ended.buffer_unordered(count).filter(|ended| std::future::ready(!ended)).count().await;
    site.expect(ended == 0, || format!("{ended} of {count} silent connections were not ended"));
    Ok((standing, held))
}

/// Some, if the server has not ended it.
fn stands(connection: &mut Connection) -> Option<()> {
    let mut byte = [0];
    match connection.stream.try_read(&mut byte) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Some(()),
        _ => None,
    }
}

/// What it holds when it has got over it, or after half a minute.
async fn settled(site: &Site, before: Held) -> anyhow::Result<Held> {
    for _ in 0..30 {
        if site.stack.held(Part::Api)?.files <= before.files + 10 {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    site.stack.held(Part::Api)
}
