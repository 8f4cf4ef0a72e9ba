//! A TCP proxy between a process and a server. It can cut connections in the middle of a message, hold all traffic for
//! a while, and stop a connection when certain bytes are about to pass.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{
        oneshot::{self, error::RecvError},
        watch,
    },
    time::sleep,
};

/// A cut closes connections that carry nothing for this long as they are.
const CUT_DURATION: Duration = Duration::from_millis(100);

/// Bytes in one direction.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    pub to_server: bool,
    pub bytes: &'static [u8],
}

/// A proxy in front of one server. Dropping it closes it and all its connections.
pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    close: watch::Sender<()>,
}

struct Shared {
    /// The address of the proxy.
    address: SocketAddr,
    server: SocketAddr,
    cuts: AtomicU64,
    breakpoint: Mutex<Option<Arc<Breakpoint>>>,
    is_held: watch::Sender<bool>,
}

/// Stops the first connection that carries the pattern, on any of its proxies. It acts once.
struct Breakpoint {
    pattern: Pattern,
    /// Receives the address of the proxy.
    hit: Mutex<Option<oneshot::Sender<SocketAddr>>>,
}

impl Proxy {
    /// Starts a proxy on a free port.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn start(server: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let shared = Arc::new(Shared {
            address: listener.local_addr()?,
            server,
            cuts: AtomicU64::new(0),
            breakpoint: Mutex::new(None),
            is_held: watch::Sender::new(false),
        });
        let proxy = Self { address: shared.address, shared, close: watch::Sender::new(()) };
        tokio::spawn(accept_connections(listener, proxy.shared.clone(), proxy.close.clone()));
        Ok(proxy)
    }

    /// Cuts each connection in the middle of its next message.
    pub async fn cut(&self) {
        self.shared.cuts.fetch_add(1, Ordering::Relaxed);
        sleep(CUT_DURATION).await;
        self.close.send_replace(());
    }

    /// Holds all traffic for a while, as a broken network does: neither side gets an error. Then everything passes.
    pub async fn hold(&self, duration: Duration) {
        self.shared.is_held.send_replace(true);
        sleep(duration).await;
        self.shared.is_held.send_replace(false);
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
        let (sender, hit) = oneshot::channel();
        let breakpoint = Arc::new(Breakpoint { pattern, hit: Mutex::new(Some(sender)) });
        for proxy in proxies {
            *proxy.shared.breakpoint.lock() = Some(breakpoint.clone());
        }
        drop(breakpoint);
        hit.await
    }
}

impl Shared {
    async fn wait_while_held(&self) {
        // It cannot fail: `self` owns the sender.
        let _ = self.is_held.subscribe().wait_for(|is_held| !is_held).await;
    }

    /// The position of the breakpoint's pattern in this chunk. The breakpoint counts as hit then.
    fn hit_breakpoint(&self, to_server: bool, chunk: &[u8]) -> Option<usize> {
        let mut slot = self.breakpoint.lock();
        let breakpoint = slot.clone()?;
        let mut hit = breakpoint.hit.lock();
        if hit.as_ref().is_none_or(oneshot::Sender::is_closed) {
            *slot = None;
            return None;
        }
        let pattern = breakpoint.pattern;
        let position = chunk.windows(pattern.bytes.len()).position(|window| window == pattern.bytes)?;
        let is_hit = pattern.to_server == to_server && hit.take()?.send(self.address).is_ok();
        is_hit.then_some(position)
    }
}

async fn accept_connections(listener: TcpListener, shared: Arc<Shared>, close: watch::Sender<()>) {
    let mut closed = close.subscribe();
    drop(close);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((process, _)) = accepted {
                    tokio::spawn(forward(process, shared.clone(), closed.clone()));
                }
            }
            changed = closed.changed() => if changed.is_err() { return },
        }
    }
}

/// Forwards both directions until either side closes. Then it closes both.
async fn forward(process: TcpStream, shared: Arc<Shared>, mut closed: watch::Receiver<()>) {
    closed.mark_unchanged();
    shared.wait_while_held().await;
    let Ok(server) = TcpStream::connect(shared.server).await else { return };
    if process.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    let ((from_process, to_process), (from_server, to_server)) = (process.into_split(), server.into_split());
    tokio::select! {
        () = copy(from_process, to_server, true, &shared) => {}
        () = copy(from_server, to_process, false, &shared) => {}
        _ = closed.changed() => {}
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    to_server: bool,
    shared: &Shared,
) {
    let cuts = shared.cuts.load(Ordering::Relaxed);
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let chunk = &buffer[..length];
        shared.wait_while_held().await;
        if let Some(position) = shared.hit_breakpoint(to_server, chunk) {
            let _ = to.write_all(&chunk[..position]).await;
            return discard(from, to_server).await;
        }
        if shared.cuts.load(Ordering::Relaxed) != cuts {
            let _ = to.write_all(&chunk[..length / 2]).await;
            return;
        }
        if to.write_all(chunk).await.is_err() {
            return;
        }
    }
    // A hold also delays the end of the connection.
    shared.wait_while_held().await;
}

/// Discards all bytes until the process has ended. In the direction to the process it waits: the other direction sees the end.
async fn discard(mut from: impl AsyncRead + Unpin, to_server: bool) {
    let mut buffer = [0; 1024];
    while to_server && matches!(from.read(&mut buffer).await, Ok(1..)) {}
    if !to_server {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// A proxy in front of an echo server, a connection to it, and a channel that receives all bytes of each closed connection.
    async fn connect() -> (Proxy, TcpStream, mpsc::UnboundedReceiver<Vec<u8>>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let proxy = Proxy::start(listener.local_addr().expect("its address")).await.expect("a port");
        let (closed, received) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                while let Ok(1..) = stream.read_buf(&mut bytes).await {
                    let _ = stream.write_all(&bytes).await;
                }
                let _ = closed.send(bytes);
            }
        });
        let process = TcpStream::connect(proxy.address).await.expect("a connection");
        (proxy, process, received)
    }

    async fn echo(process: &mut TcpStream, sent: &[u8]) -> Vec<u8> {
        process.write_all(sent).await.expect("the connection is open");
        receive(process, Duration::from_secs(10)).await
    }

    /// The bytes that arrive first. Empty when none arrive in time.
    async fn receive(process: &mut TcpStream, time_limit: Duration) -> Vec<u8> {
        let mut received = vec![0; 64];
        let length = tokio::time::timeout(time_limit, process.read(&mut received)).await;
        received.truncate(length.map_or(0, Result::unwrap_or_default));
        received
    }

    #[tokio::test]
    async fn a_cut_lets_half_of_a_message_pass() {
        let (proxy, mut process, mut received) = connect().await;
        assert_eq!(echo(&mut process, b"whole, ").await, b"whole, ");
        tokio::join!(proxy.cut(), async { process.write_all(b"halves").await.expect("it is open") });
        assert_eq!(received.recv().await.expect("a connection"), b"whole, hal");
    }

    #[tokio::test]
    async fn a_hold_delays_the_end_of_a_connection() {
        let (proxy, mut process, mut received) = connect().await;
        assert_eq!(echo(&mut process, b"goodbye").await, b"goodbye");
        let (during_hold, ()) = tokio::join!(
            async {
                drop(process);
                tokio::time::timeout(Duration::from_millis(200), received.recv()).await
            },
            proxy.hold(Duration::from_millis(300))
        );
        assert!(during_hold.is_err(), "the server saw the end during the hold");
        assert_eq!(received.recv().await.expect("a connection"), b"goodbye");
    }

    #[tokio::test]
    async fn held_bytes_pass_after_the_hold() {
        let (proxy, mut process, _) = connect().await;
        let (during_hold, ()) = tokio::join!(
            async {
                sleep(Duration::from_millis(20)).await;
                process.write_all(b"late").await.expect("the connection is open");
                receive(&mut process, Duration::from_millis(200)).await
            },
            proxy.hold(Duration::from_millis(300))
        );
        assert_eq!(during_hold, b"", "bytes passed during the hold");
        assert_eq!(receive(&mut process, Duration::from_secs(10)).await, b"late");
    }

    #[tokio::test]
    async fn a_breakpoint_stops_one_connection_before_its_pattern() {
        let (proxy, mut process, _) = connect().await;
        let commit = Pattern { to_server: false, bytes: b"COMMIT" };
        let (other, mut other_process, _) = connect().await;
        let (received, stopped) = tokio::join!(
            async {
                assert_eq!(echo(&mut process, b"BEGIN").await, b"BEGIN");
                echo(&mut process, b"COMMIT").await
            },
            Proxy::stop_at([&proxy, &other].into_iter(), commit)
        );
        assert_eq!(received, b"BEGIN", "COMMIT passed, or the bytes before it did not");
        assert_eq!(stopped.expect("a hit"), proxy.address);
        assert_eq!(echo(&mut other_process, b"COMMIT").await, b"COMMIT", "the breakpoint acted twice");
    }
}
