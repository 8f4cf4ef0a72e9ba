//! Connections to RabbitMQ, each with a time limit and a socket that this module can close.

use std::{
    future::Future,
    io,
    net::{Shutdown, TcpStream},
    ops::Deref,
    os::fd::AsFd,
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use async_compat::Compat;
use lapin::{
    AsyncTcpStream, Connection, ConnectionProperties, runtime,
    tcp::OwnedTLSConfig,
    uri::{AMQPScheme, AMQPUri},
};
use parking_lot::Mutex;
use rand::seq::SliceRandom;
use tokio::time::timeout;

const TIMEOUT: Duration = Duration::from_secs(5);

/// Seconds between heartbeats. A peer that is silent for two of them counts as lost.
const HEARTBEAT: u16 = 5;

/// The largest frame. Larger messages are split. lapin has buffers for 64 frames in each connection: 8 MiB with its default.
const FRAME_BYTES: u32 = 16 * 1024;

/// The addresses of the broker: one node, or all nodes of a cluster.
#[derive(Clone)]
pub struct Broker {
    nodes: Vec<AMQPUri>,
}

impl Broker {
    /// Parses addresses that are separated by commas.
    ///
    /// # Errors
    /// One of them is not an AMQP URI.
    pub fn new(uris: &str) -> anyhow::Result<Self> {
        let node = |uri: &str| {
            let mut uri: AMQPUri = uri.parse().map_err(anyhow::Error::msg).context("the AMQP address")?;
            uri.query.heartbeat.get_or_insert(HEARTBEAT);
            uri.query.frame_max.get_or_insert(FRAME_BYTES);
            anyhow::Ok(uri)
        };
        Ok(Self { nodes: uris.split(',').map(node).collect::<anyhow::Result<_>>()? })
    }

    /// A broker for each node.
    pub fn nodes(&self) -> impl Iterator<Item = Self> {
        self.nodes.iter().map(|node| Self { nodes: vec![node.clone()] })
    }

    /// Whether the broker has only one node.
    #[must_use]
    pub fn has_single_node(&self) -> bool {
        self.nodes.len() < 2
    }

    /// Connects to the first node that responds. The order is random, to spread the load.
    ///
    /// # Errors
    /// No node can be reached, each one refuses, or each one is silent for 5 s. The error is the one of the last node.
    pub async fn connect(&self, role: &str) -> anyhow::Result<BrokerConnection> {
        let mut nodes = self.nodes.clone();
        nodes.shuffle(&mut rand::rng());
        let mut connected = Err(anyhow::anyhow!("no address of RabbitMQ is set"));
        for node in nodes {
            connected = connect(node, role).await;
            if connected.is_ok() {
                break;
            }
        }
        connected
    }
}

/// A connection that is closed when this is dropped, even if the broker does not respond.
pub struct BrokerConnection {
    connection: Arc<Connection>,
    _socket: Arc<SocketGuard>,
}

impl Deref for BrokerConnection {
    type Target = Arc<Connection>;

    fn deref(&self) -> &Self::Target {
        &self.connection
    }
}

/// A second handle of the socket, which closes the socket when it is dropped.
///
/// lapin keeps a socket and a thread open while the peer does not respond. Examples are a peer that only accepts
/// connections, and a broker that reads nothing for lack of memory.
#[derive(Default)]
struct SocketGuard(Mutex<Option<TcpStream>>);

impl SocketGuard {
    /// Replaces the socket. lapin may try several.
    fn set(&self, stream: TcpStream) {
        *self.0.lock() = Some(stream);
    }
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        if let Some(stream) = self.0.get_mut() {
            // An error means that the socket is already closed.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

async fn connect(node: AMQPUri, role: &str) -> anyhow::Result<BrokerConnection> {
    let properties = ConnectionProperties::default().with_connection_name(role.into());
    let guard = Arc::<SocketGuard>::default();
    let weak_guard = Arc::downgrade(&guard);
    // The same as lapin's own connector, with a second handle of the socket.
    let open = async move |AMQPUri { authority, scheme, .. }: AMQPUri, _| {
        let stream = tokio::net::TcpStream::connect((&*authority.host, authority.port)).await?;
        stream.set_nodelay(true)?;
        let guard = weak_guard.upgrade().ok_or_else(|| io::Error::other("the attempt was abandoned"))?;
        guard.set(stream.as_fd().try_clone_to_owned()?.into());
        let stream = AsyncTcpStream::Plain(Compat::new(stream));
        Ok(match scheme {
            AMQPScheme::AMQP => stream,
            AMQPScheme::AMQPS => stream.into_tls(&authority.host, OwnedTLSConfig::default().as_ref()).await?,
        })
    };
    let connecting = Connection::connector(node, runtime::default_runtime()?, open, properties);
    let connection = timeout(TIMEOUT, connecting)
        .await
        .context("connecting to RabbitMQ took too long")?
        .context("cannot connect to RabbitMQ")?;
    Ok(BrokerConnection { connection: Arc::new(connection), _socket: guard })
}

/// Limits the time of a request to the broker. Some of lapin's futures never end when a connection breaks.
///
/// # Errors
/// Those of the request, and a timeout after 5 s.
pub async fn with_timeout<T, E>(request: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    E: Into<anyhow::Error>,
{
    timeout(TIMEOUT, request).await.context("RabbitMQ did not respond in time")?.map_err(Into::into)
}
