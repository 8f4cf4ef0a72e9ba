//! A TCP proxy between a process and a server. It can cut connections in the middle of a message, or refuse them. It can hold or
//! delay all bytes, and stop a connection when certain bytes are about to pass.

mod breakpoint;
mod delay;
mod forward;
mod state;
#[cfg(test)]
mod tests;

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use tokio::{net::TcpListener, sync::oneshot::error::RecvError, time::sleep};
use tokio_util::sync::{CancellationToken, DropGuard};

pub use breakpoint::Pattern;

use self::{
    breakpoint::Breakpoint,
    forward::accept_connections,
    state::{ProxyState, Traffic},
};

/// A cut closes connections that carry nothing for this long as they are.
const CUT_DURATION: Duration = Duration::from_millis(100);

/// A proxy in front of one server. Dropping it closes it and all its connections.
pub struct Proxy {
    pub address: SocketAddr,
    /// The URL of the server with the address of the proxy.
    pub url: String,
    shared: Arc<ProxyState>,
    _dropped: DropGuard,
}

impl Proxy {
    /// Starts a proxy to the server of this URL, on a free port.
    ///
    /// # Errors
    /// When the URL has no server, or no port is free.
    pub async fn to(url: &str) -> anyhow::Result<Self> {
        Self::with_delay(url, Duration::ZERO).await
    }

    /// Starts a proxy that delays all bytes to the server by this time. So each round trip takes that time longer.
    ///
    /// # Errors
    /// See [`Proxy::to`].
    pub async fn with_delay(url: &str, delay: Duration) -> anyhow::Result<Self> {
        let [before, server, after] = split(url).context("a URL without a server")?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (shared, dropped) = (Arc::new(ProxyState::new(address, server, delay)), CancellationToken::new());
        tokio::spawn(accept_connections(listener, shared.clone(), dropped.clone()));
        Ok(Self { address, url: format!("{before}{address}{after}"), shared, _dropped: dropped.drop_guard() })
    }

    /// Cuts each connection in the middle of its next message.
    pub async fn cut(&self) {
        self.shared.change(|state| state.cuts += 1);
        sleep(CUT_DURATION).await;
        self.shared.change(|state| state.closings += 1);
    }

    /// Closes all connections, and refuses new ones until [`Proxy::restore`].
    pub fn refuse(&self) {
        self.shared.change(|state| {
            state.traffic = Traffic::Refused;
            state.closings += 1;
        });
    }

    /// Holds all traffic until [`Proxy::restore`], as a broken network does: neither side gets an error.
    pub fn freeze(&self) {
        self.shared.change(|state| state.traffic = Traffic::Held);
    }

    /// Everything passes again.
    pub fn restore(&self) {
        self.shared.change(|state| state.traffic = Traffic::Flowing);
    }

    /// New connections pass again. Existing ones stay open and silent, as when their server has lost its power.
    pub fn restore_for_new_connections(&self) {
        self.shared.change(|state| {
            state.traffic = Traffic::Flowing;
            state.silences += 1;
        });
    }

    /// Holds all traffic for a while. Then everything passes.
    pub async fn hold(&self, duration: Duration) {
        self.freeze();
        sleep(duration).await;
        self.restore();
    }

    /// Whether a connection is open.
    #[must_use]
    pub fn has_connections(&self) -> bool {
        self.shared.state().connections > 0
    }

    /// Waits until the pattern is about to pass on one of these proxies, and returns the address of that proxy. The pattern
    /// and everything after it on that connection never pass. Other connections continue.
    ///
    /// # Errors
    /// When another breakpoint replaces this one on all proxies.
    pub async fn stop_at(
        proxies: impl Iterator<Item = &Self>,
        pattern: Pattern,
    ) -> Result<SocketAddr, RecvError> {
        let (breakpoint, hit) = Breakpoint::new(pattern);
        let breakpoint = Arc::new(breakpoint);
        for proxy in proxies {
            *proxy.shared.breakpoint.lock() = Some(breakpoint.clone());
        }
        drop(breakpoint);
        hit.await
    }
}

/// The part of a URL before `host:port`, that part, and the part after it.
fn split(url: &str) -> Option<[&str; 3]> {
    let user = url.find("://")? + 3;
    let end = url[user..].find(['/', '?']).map_or(url.len(), |length| user + length);
    let start = url[user..end].rfind('@').map_or(user, |at| user + at + 1);
    Some([&url[..start], &url[start..end], &url[end..]])
}
