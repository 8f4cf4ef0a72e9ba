//! The HTTP server. It limits the number of connections and the time of each state of a connection.
//!
//! The server of poem has neither limit, so this module uses hyper directly. It supports only HTTP/1.1, the
//! protocol of proxies to their backends: a connection has one request at a time, so its state is always known.

mod connections;
mod pool;
mod request_body;
mod response_body;
mod stage_timer;
mod stream;
#[cfg(test)]
mod tests;
mod thread;

pub use self::{connections::ConnectionLimits, thread::ServingThread};
use crate::{
    http::request_data::Overloaded,
    server::{
        connections::{Connection, Connections},
        request_body::TrackedRequestBody,
        response_body::TrackedResponseBody,
        stream::ClientStream,
    },
};
use std::{
    convert::Infallible, future::Future, io::Error as IoError, net::SocketAddr, num::NonZeroUsize, pin::pin,
    sync::Arc, time::Duration,
};

use bytes::Bytes;
use hyper::{
    body::{Body as HttpBody, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use poem::{
    Body, Endpoint, Response,
    http::{HeaderValue, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    runtime::Handle,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The maximum number of bytes of the request line and the headers.
const LARGEST_HEAD: usize = 16 * 1024;

/// The bytes of the read buffer and of the write buffer of a connection.
const BUFFER: usize = 64 * 1024;

/// The time limit for requests in progress after the stop of the server.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Open files besides the connections: connections to other servers, logs, and connections above the limit.
const OTHER_FILES: usize = 256;

/// Listens with a longer queue than usual. A client that does not fit into the queue tries again after a second.
///
/// # Errors
/// The address is in use or not available on this machine.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv6() { TcpSocket::new_v6() } else { TcpSocket::new_v4() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// The limit of connections: the configured number, or less if the system's limit of open files is too low.
///
/// # Errors
/// The limit of open files cannot be read or raised.
pub fn connection_limit(configured: NonZeroUsize) -> std::io::Result<NonZeroUsize> {
    let files = rlimit::increase_nofile_limit(configured.get().saturating_add(OTHER_FILES) as u64)?;
    let possible = usize::try_from(files).unwrap_or(usize::MAX).saturating_sub(OTHER_FILES);
    let possible = NonZeroUsize::new(possible).unwrap_or(NonZeroUsize::MIN).min(configured);
    if possible < configured {
        tracing::warn!(
            configured,
            possible,
            "connection limit reduced by the limit of open files (ulimit -n)"
        );
    }
    Ok(possible)
}

/// A runtime, and the routes with which it serves its connections.
pub struct Server<E> {
    app: Arc<E>,
    runtime: Handle,
}

impl<E> Server<E> {
    pub fn new(app: E, runtime: Handle) -> Self {
        Self { app: Arc::new(app), runtime }
    }
}

/// Serves connections up to the limits until `stop`. Then requests in progress have 20 s to complete. The servers take new connections
/// in turn.
///
/// A new connection above a limit closes the connection that has waited for its client for the longest time.
pub async fn serve<E>(
    listener: TcpListener,
    servers: Vec<Server<E>>,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) where
    E: Endpoint + 'static,
{
    let connections = Arc::new(Connections::new(limits));
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let accept = async {
        let mut turns = servers.iter().cycle();
        loop {
            match accept_connection(&listener).await {
                Ok((stream, peer)) => {
                    // Without a place, the stream is dropped, which closes it.
                    if let Some(connection) = connections.register(peer.ip())
                        && let Some(Server { app, runtime }) = turns.next()
                    {
                        let served =
                            serve_connection(stream, peer, app.clone(), connection, stopping.clone());
                        tasks.spawn_on(served, runtime);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "connection not accepted");
                    connections.close_longest_waiting();
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
    stopping.cancel();
    tasks.close();
    if timeout(SHUTDOWN_TIMEOUT, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "connections not completed in time");
    }
}

/// Accepts a connection that can move to another runtime.
async fn accept_connection(listener: &TcpListener) -> std::io::Result<(std::net::TcpStream, SocketAddr)> {
    let (stream, peer) = listener.accept().await?;
    Ok((stream.into_std()?, peer))
}

/// Serves one connection until the client closes it, the server stops, or a time limit ends it.
async fn serve_connection<E>(
    stream: std::net::TcpStream,
    peer: SocketAddr,
    app: Arc<E>,
    connection: Arc<Connection>,
    stopping: CancellationToken,
) where
    E: Endpoint + 'static,
{
    let served = async {
        let stream = TcpStream::from_std(stream).ok()?;
        // A connection without a request needs no buffer.
        stopping.run_until_cancelled(stream.readable()).await?.ok()?;
        let local = stream.local_addr().ok()?;
        let service = service_fn(|request| respond(&*app, request, local, peer, connection.clone()));
        let http = http1::Builder::new()
            .keep_alive(connection.is_admitted())
            .max_header_size(LARGEST_HEAD)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(ClientStream::new(stream, connection.clone())), service);
        let mut http = pin!(http);
        if stopping.run_until_cancelled(&mut http).await.is_none() {
            http.as_mut().graceful_shutdown();
            http.await.ok()?;
        }
        Some(())
    };
    tokio::select! {
        biased;
        // A request that arrived in time gets its response.
        _ = served => {}
        () = connection.timed_out() => {}
    }
}

async fn respond<E: Endpoint + 'static>(
    app: &E,
    request: hyper::Request<Incoming>,
    local: SocketAddr,
    peer: SocketAddr,
    connection: Arc<Connection>,
) -> Result<
    hyper::Response<TrackedResponseBody<impl HttpBody<Data = Bytes, Error = IoError> + use<E>>>,
    Infallible,
> {
    let guard = connection.start_request();
    let is_admitted = connection.is_admitted();
    let (local, peer) = (LocalAddr(local.into()), RemoteAddr(peer.into()));
    let has_body = !request.body().is_end_stream();
    let mut request = poem::Request::from((request, local, peer, Scheme::HTTP));
    if has_body {
        let chunks = request.take_body().into_bytes_stream();
        request
            .set_body(Body::from_bytes_stream(TrackedRequestBody::new(Box::pin(chunks), connection.clone())));
    }
    if !is_admitted {
        request.set_data(Overloaded);
    }
    let mut response: Response = app.get_response(request).await;
    if !is_admitted {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(hyper::Response::from(response).map(|body| TrackedResponseBody::new(body, guard)))
}
