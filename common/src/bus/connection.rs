//! One supervisor per role: connect, check, run; on any error drop everything
//! and start again, for ever.

use std::{
    future::Future,
    io,
    net::{Shutdown, TcpStream},
    ops::Deref,
    os::fd::AsFd,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Context;
use async_compat::Compat;
use futures_util::{Stream, StreamExt};
use lapin::{
    AsyncTcpStream, Connection, ConnectionProperties, Event, runtime,
    tcp::OwnedTLSConfig,
    uri::{AMQPScheme, AMQPUri},
};
use rand::seq::SliceRandom;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// A peer that is frozen is given up after two of these; seconds.
const HEARTBEAT: u16 = 10;

/// Where the broker is: one node, or those of a cluster.
#[derive(Clone)]
pub struct Broker {
    nodes: Vec<AMQPUri>,
}

impl Broker {
    /// # Errors
    /// When the URIs, with commas between, are not of AMQP.
    pub fn new(uris: &str) -> anyhow::Result<Self> {
        let node = |uri: &str| {
            let mut uri: AMQPUri = uri.parse().map_err(anyhow::Error::msg).context("the AMQP address")?;
            uri.query.heartbeat.get_or_insert(HEARTBEAT);
            anyhow::Ok(uri)
        };
        Ok(Self { nodes: uris.split(',').map(node).collect::<anyhow::Result<_>>()? })
    }

    /// Whether there is no other node to go to.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.nodes.len() < 2
    }

    /// Connects to the first node that answers, beginning with any of them so that the load is spread.
    ///
    /// # Errors
    /// That of the last, when none can be reached, each refuses, or says nothing for 5 s.
    pub async fn connect(&self, role: &str) -> anyhow::Result<Connected> {
        let mut nodes = self.nodes.clone();
        nodes.shuffle(&mut rand::rng());
        let mut connected = Err(anyhow::anyhow!("there is no address of RabbitMQ"));
        for node in nodes {
            connected = connect(node, role).await;
            if connected.is_ok() {
                break;
            }
        }
        connected
    }
}

/// A connection that ends when this is dropped, whatever the broker does.
pub struct Connected {
    connection: Arc<Connection>,
    _socket: Arc<Socket>,
}

impl Deref for Connected {
    type Target = Arc<Connection>;

    fn deref(&self) -> &Self::Target {
        &self.connection
    }
}

/// Shut when it is dropped. lapin itself keeps a socket, and a thread with it, for as long as a peer says nothing: one that accepts
/// connections and does no more, or takes nothing for want of memory, and so not even the end.
#[derive(Default)]
struct Socket(Mutex<Option<TcpStream>>);

impl Socket {
    /// lapin may try several times.
    fn is(&self, stream: TcpStream) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let Some(stream) = self.0.get_mut().unwrap_or_else(PoisonError::into_inner) {
            // It may have ended by itself.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

async fn connect(node: AMQPUri, role: &str) -> anyhow::Result<Connected> {
    let properties = ConnectionProperties::default().with_connection_name(role.into());
    let socket = Arc::<Socket>::default();
    let mine = Arc::downgrade(&socket);
    // As lapin does it, but for the second handle.
    let open = async move |AMQPUri { authority, scheme, .. }: AMQPUri, _| {
        let stream = tokio::net::TcpStream::connect((&*authority.host, authority.port)).await?;
        stream.set_nodelay(true)?;
        let socket = mine.upgrade().ok_or_else(|| io::Error::other("it was given up"))?;
        socket.is(stream.as_fd().try_clone_to_owned()?.into());
        let stream = AsyncTcpStream::Plain(Compat::new(stream));
        Ok(match scheme {
            AMQPScheme::AMQP => stream,
            AMQPScheme::AMQPS => stream.into_tls(&authority.host, OwnedTLSConfig::default().as_ref()).await?,
        })
    };
    let connecting = Connection::connector(node, runtime::default_runtime()?, open, properties);
    let connection = timeout(ANSWER_WITHIN, connecting)
        .await
        .context("connecting to RabbitMQ took too long")?
        .context("connecting to RabbitMQ")?;
    Ok(Connected { connection: Arc::new(connection), _socket: socket })
}

/// What lapin answers, in time: when a connection breaks at the wrong moment, some of its futures never end.
///
/// # Errors
/// Its own, or when it says nothing for 5 s.
pub async fn within<T, E>(answer: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    E: Into<anyhow::Error>,
{
    timeout(ANSWER_WITHIN, answer).await.context("RabbitMQ says nothing")?.map_err(Into::into)
}

/// With this a role leaves a connection at which nothing is wrong, for one to any of the nodes.
#[derive(Debug, thiserror::Error)]
#[error("trying another node")]
pub struct Elsewhere;

/// Tells whether the broker accepts what is published; returns when the connection ends by an error. There may be no
/// other listener: lapin hands each event to one of them.
async fn follow(
    mut events: impl Stream<Item = Event> + Unpin,
    blocked: &watch::Sender<bool>,
) -> anyhow::Error {
    while let Some(event) = events.next().await {
        match event {
            Event::ConnectionBlocked(reason) => {
                tracing::warn!(reason, "RabbitMQ accepts no messages");
                blocked.send_replace(true);
            }
            Event::ConnectionUnblocked => {
                tracing::info!("RabbitMQ accepts messages again");
                blocked.send_replace(false);
            }
            Event::Error(error) => return error.into(),
            _ => {}
        }
    }
    anyhow::anyhow!("the connection ended")
}

/// Runs a role on a connection of its own, and on a new one whenever it ends by an
/// error. Over when the role says so, or, between connections, when told to stop.
/// The role is told when the broker blocks the connection, for want of memory or disk.
pub async fn supervise<F, R>(broker: Broker, role: &'static str, stop: CancellationToken, run: F)
where
    F: Fn(Arc<Connection>, watch::Receiver<bool>) -> R,
    R: Future<Output = anyhow::Result<()>>,
{
    let mut pause = Backoff::default();
    let mut news = true;
    while !stop.is_cancelled() {
        let ran = async {
            let Some(connection) = stop.run_until_cancelled(broker.connect(role)).await else {
                return Ok(());
            };
            let connection = connection?;
            if news {
                tracing::info!(bus.role = role, "connected to RabbitMQ");
            }
            let began = Instant::now();
            let events = connection.events_listener();
            let (blocked, is_blocked) = watch::channel(false);
            let ended = tokio::select! {
                ended = run(Arc::clone(&connection), is_blocked) => ended,
                // What waits on the connection is not always told.
                error = follow(events, &blocked) => Err(error),
            };
            // Dropping it is not enough: with a request under way lapin keeps it open, for ever, and the broker hands
            // messages to a consumer that nobody has.
            tokio::spawn(async move { within(connection.close(200, "it is given up".into())).await });
            // One that fails at once shall not be tried as if it had worked.
            if began.elapsed() > Duration::from_secs(10) {
                pause = Backoff::default();
            }
            ended
        };
        let Err(error) = ran.await else { return };
        // Where little happens, roles look for another node all the time.
        news = !error.is::<Elsewhere>();
        if news {
            let error = format!("{error:#}");
            tracing::warn!(bus.role = role, error, "lost RabbitMQ, connecting again");
        }
        stop.run_until_cancelled(pause.wait()).await;
    }
}

/// Shows a value for as long as the connection lasts that it belongs to, however that ends.
pub(super) struct Shown<'a, T>(&'a watch::Sender<Option<T>>);

impl<'a, T> Shown<'a, T> {
    pub(super) fn new(to: &'a watch::Sender<Option<T>>, value: T) -> Self {
        to.send_replace(Some(value));
        Self(to)
    }
}

impl<T> Drop for Shown<'_, T> {
    fn drop(&mut self) {
        self.0.send_replace(None);
    }
}

/// Waits that double from 50 ms to 2 s, with jitter so that a crowd does not come back as one.
pub struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(Duration::from_millis(50))
    }
}

impl Backoff {
    pub async fn wait(&mut self) {
        sleep(self.0.mul_f64(rand::random_range(0.5..1.0))).await;
        self.0 = (self.0 * 2).min(Duration::from_secs(2));
    }
}
