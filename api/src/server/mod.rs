//! Serves connections: so many of them, and each for as long as its client keeps up.
//!
//! poem's own server limits neither how many there are nor how slow they are, so hyper is driven here. It speaks
//! HTTP/1.1 alone, which is what proxies speak to those behind them: one request at a time tells who is waited for.

mod connections;
mod response_body;
mod stream;
#[cfg(test)]
mod tests;

use crate::{
    http::request_data::Overloaded,
    server::{
        connections::{Connection, Connections},
        response_body::TrackedBody,
        stream::ClientStream,
    },
};
use std::{
    convert::Infallible, future::Future, io::Error as IoError, net::SocketAddr, pin::pin, sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use hyper::{
    body::{Body, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use poem::{
    Endpoint, Response,
    http::{HeaderValue, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The most bytes of a request's line and headers.
const LARGEST_HEAD: usize = 16 * 1024;

/// Bytes read or written ahead, of each connection.
const BUFFER: usize = 64 * 1024;

/// What is in hand when the process shall end has this long.
const FINISH_WITHIN: Duration = Duration::from_secs(20);

/// Files that are open beside the connections: servers, logs, and those connections that are being refused.
const OTHER_FILES: usize = 256;

/// Listens with a longer queue than usual: who does not fit into it tries again a second later.
///
/// # Errors
/// When the address is taken or not ours.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv6() { TcpSocket::new_v6() } else { TcpSocket::new_v4() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// As many connections as are wanted, or as many as the system's limit of open files leaves room for.
///
/// # Errors
/// When the limit cannot be read or raised.
pub fn room_for(wanted: usize) -> std::io::Result<usize> {
    let files = rlimit::increase_nofile_limit(wanted.saturating_add(OTHER_FILES) as u64)?;
    let room = usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(OTHER_FILES).clamp(1, wanted);
    if room < wanted {
        tracing::warn!(wanted, room, "the limit of open files (ulimit -n) leaves room for fewer connections");
    }
    Ok(room)
}

/// Serves up to `most` connections until it is told to stop, then for 20 s those that have a request in hand.
/// When there are more, the one that has asked nothing for the longest time is closed.
pub async fn serve<E>(listener: TcpListener, app: E, most: usize, stop: impl Future<Output = ()>)
where
    E: Endpoint + 'static,
{
    let app = Arc::new(app);
    let crowd = Arc::new(Connections::new(most));
    let (connections, ending) = (TaskTracker::new(), CancellationToken::new());
    let accept = async {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    let member = crowd.enter();
                    connections.spawn(connection(stream, peer, app.clone(), member, ending.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be accepted");
                    crowd.send_one_away();
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
    }
    drop(listener);
    ending.cancel();
    connections.close();
    if timeout(FINISH_WITHIN, connections.wait()).await.is_err() {
        tracing::warn!(connections = connections.len(), "not finished in time");
    }
}

/// One connection, to its end: by the client, by `ending`, or because its time is up.
async fn connection<E>(
    stream: TcpStream,
    peer: SocketAddr,
    app: Arc<E>,
    member: Arc<Connection>,
    ending: CancellationToken,
) where
    E: Endpoint + 'static,
{
    let served = async {
        // Who says nothing costs no buffer.
        ending.run_until_cancelled(stream.readable()).await?.ok()?;
        let local = stream.local_addr().ok()?;
        let service = service_fn(|request| answer(&*app, request, local, peer, member.clone()));
        let connection = http1::Builder::new()
            .keep_alive(member.is_welcome())
            .max_header_size(LARGEST_HEAD)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(ClientStream::new(stream, member.clone())), service);
        let mut connection = pin!(connection);
        if ending.run_until_cancelled(&mut connection).await.is_none() {
            connection.as_mut().graceful_shutdown();
            connection.await.ok()?;
        }
        Some(())
    };
    tokio::select! {
        biased;
        // A request that has come in time is served.
        _ = served => {}
        () = member.overdue() => {}
    }
}

async fn answer<E: Endpoint + 'static>(
    app: &E,
    request: hyper::Request<Incoming>,
    local: SocketAddr,
    peer: SocketAddr,
    member: Arc<Connection>,
) -> Result<hyper::Response<TrackedBody<impl Body<Data = Bytes, Error = IoError> + use<E>>>, Infallible> {
    let welcome = member.is_welcome();
    let working = member.work();
    let (local, peer) = (LocalAddr(local.into()), RemoteAddr(peer.into()));
    let mut request = poem::Request::from((request, local, peer, Scheme::HTTP));
    if !welcome {
        request.set_data(Overloaded);
    }
    let mut response: Response = app.get_response(request).await;
    if member.is_at_last() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(hyper::Response::from(response).map(|body| TrackedBody::new(body, working)))
}
