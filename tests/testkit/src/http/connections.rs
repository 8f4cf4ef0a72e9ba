//! HTTP/1.1 connections that stay open, also for drills that end the api.
//!
//! The pool of hyper-util, which reqwest uses, can lose a request. A request goes through a channel to the task of its
//! connection. If the connection ends in that moment, the request stays in the channel until the sender is dropped. hyper-util
//! keeps the sender while it waits for the response, so the client waits until its time limit and the drill counts the site as
//! hung. This pool drops the sender when the connection has ended.

use std::{
    net::{IpAddr, SocketAddr},
    pin::pin,
};

use anyhow::Context;
use http_body_util::Full;
use hyper::{
    body::{Bytes, Incoming},
    client::conn::{
        TrySendError,
        http1::{self, SendRequest},
    },
};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::{
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
};

type HyperRequest = http::Request<Full<Bytes>>;
type HyperResponse = http::Response<Incoming>;

/// The connections to one server.
#[derive(Default)]
pub(super) struct ConnectionPool {
    /// `host:port`
    pub(super) address: String,
    /// The address of this machine from which they are opened.
    pub(super) source: Option<IpAddr>,
    /// Whether each is closed after a response.
    pub(super) is_closing: bool,
    pub(super) idle: Mutex<Vec<ClientConnection>>,
}

pub(super) struct ClientConnection {
    requests: SendRequest<Full<Bytes>>,
    /// The task of the connection.
    task: JoinHandle<()>,
}

impl ConnectionPool {
    /// A pool with the same settings, and no open connection.
    pub(super) fn settings(&self) -> Self {
        let Self { address, source, is_closing, .. } = self;
        Self { address: address.clone(), source: *source, is_closing: *is_closing, idle: Mutex::default() }
    }

    /// Sends a request. It is sent again if an idle connection has ended before it was sent. Returns the head of the response,
    /// and its connection unless that has ended.
    ///
    /// # Errors
    /// Without a response.
    pub(super) async fn send(
        &self,
        request: HyperRequest,
    ) -> anyhow::Result<(HyperResponse, Option<ClientConnection>)> {
        loop {
            let (connection, is_new) = match self.idle() {
                Some(connection) => (connection, false),
                None => (ClientConnection::open(&self.address, self.source).await?, true),
            };
            let (connection, sent) = connection.send(request.clone()).await;
            match sent {
                Err(unsent) if unsent.message().is_some() && !is_new => {}
                sent => return Ok((sent.map_err(TrySendError::into_error)?, connection)),
            }
        }
    }

    /// Keeps a connection for the next request. The response to the last one has been read.
    pub(super) async fn keep(&self, mut connection: ClientConnection) {
        if !self.is_closing && connection.requests.ready().await.is_ok() {
            self.idle.lock().push(connection);
        }
    }

    /// A connection that the server has not closed.
    fn idle(&self) -> Option<ClientConnection> {
        let mut idle = self.idle.lock();
        while let Some(connection) = idle.pop() {
            if connection.requests.is_ready() {
                return Some(connection);
            }
        }
        None
    }
}

impl ClientConnection {
    async fn open(address: &str, source: Option<IpAddr>) -> anyhow::Result<Self> {
        let stream = match source {
            None => TcpStream::connect(address).await?,
            Some(source) => connect_from(source, address.parse().context("not an address")?).await?,
        };
        stream.set_nodelay(true)?;
        let (mut requests, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // Its error reaches the request.
        let task = tokio::spawn(async { drop(connection.await) });
        requests.ready().await?;
        Ok(Self { requests, task })
    }

    /// Sends a request. Returns the connection unless it has ended. The error has the request if it was not sent.
    async fn send(
        self,
        request: HyperRequest,
    ) -> (Option<Self>, Result<HyperResponse, TrySendError<HyperRequest>>) {
        let Self { mut requests, mut task } = self;
        let mut response = pin!(requests.try_send_request(request));
        let sent = tokio::select! {
            biased;
            sent = &mut response => sent,
            _ = &mut task => {
                drop(requests);
                return (None, response.await);
            }
        };
        (Some(Self { requests, task }), sent)
    }
}

/// Connects from another address of this machine.
pub(super) async fn connect_from(source: IpAddr, address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(source, 0))?;
    socket.connect(address).await
}
