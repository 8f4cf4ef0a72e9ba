//! The connections of a proxy.

use std::sync::Arc;

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

use super::{
    delay::delayed,
    state::{Conditions, ProxyState, Traffic},
};

/// Forwards connections until the proxy is dropped.
pub(super) async fn accept_connections(
    listener: TcpListener,
    shared: Arc<ProxyState>,
    dropped: CancellationToken,
) {
    while let Some(accepted) = dropped.run_until_cancelled(listener.accept()).await {
        let Ok((process, _)) = accepted else { continue };
        let (shared, dropped) = (shared.clone(), dropped.clone());
        tokio::spawn(async move { dropped.run_until_cancelled(forward(process, &shared)).await });
    }
}

/// Forwards a connection until it is closed.
async fn forward(mut process: TcpStream, shared: &ProxyState) {
    let start = shared.state();
    if start.traffic == Traffic::Refused {
        // A proxy without a server does the same: it reads the client's greeting and closes the connection.
        let _ = process.read(&mut [0; 1024]).await;
        return;
    }
    tokio::select! {
        () = connect_and_copy(process, shared, start) => {}
        () = shared.wait_for(|state| state.closings != start.closings) => {}
    }
}

/// Forwards both directions until either side closes. Then it closes both.
async fn connect_and_copy(process: TcpStream, shared: &ProxyState, start: Conditions) {
    shared.wait_until_flowing(start).await;
    let Ok(server) = TcpStream::connect(&shared.server).await else { return };
    if process.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    let _open = OpenConnection::new(shared);
    let ((from_process, to_process), (from_server, to_server)) = (process.into_split(), server.into_split());
    let from_process: Box<dyn AsyncRead + Send + Unpin> = match shared.delay.is_zero() {
        true => Box::new(from_process),
        false => Box::new(delayed(from_process, shared.delay)),
    };
    tokio::select! {
        () = copy(from_process, to_server, true, shared, start) => {}
        () = copy(from_server, to_process, false, shared, start) => {}
    }
}

/// Counts a connection while it is open.
struct OpenConnection<'a>(&'a ProxyState);

impl<'a> OpenConnection<'a> {
    fn new(shared: &'a ProxyState) -> Self {
        shared.change(|state| state.connections += 1);
        Self(shared)
    }
}

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.connections -= 1);
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    to_server: bool,
    shared: &ProxyState,
    start: Conditions,
) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let chunk = &buffer[..length];
        shared.wait_until_flowing(start).await;
        if let Some(position) = shared.hit_breakpoint(to_server, chunk) {
            let _ = to.write_all(&chunk[..position]).await;
            return discard(from, to_server).await;
        }
        if shared.state().cuts != start.cuts {
            let _ = to.write_all(&chunk[..length / 2]).await;
            return;
        }
        if to.write_all(chunk).await.is_err() {
            return;
        }
    }
    // A hold also delays the end of the connection.
    shared.wait_until_flowing(start).await;
}

/// Discards all bytes until the process has ended. In the direction to the process it waits: the other direction sees the end.
async fn discard(mut from: impl AsyncRead + Unpin, to_server: bool) {
    let mut buffer = [0; 1024];
    while to_server && matches!(from.read(&mut buffer).await, Ok(1..)) {}
    if !to_server {
        std::future::pending::<()>().await;
    }
}
