//! The connections of a process to a server, led through here: they can be cut in the middle of what they carry, held
//! up for a while, and stopped the moment something passes.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{
        oneshot::{self, error::RecvError},
        watch,
    },
    time::sleep,
};

/// Connections that carry nothing for so long after a cut are closed as they are.
const CUT_WITHIN: Duration = Duration::from_millis(100);

/// Bytes that pass, and which way.
#[derive(Debug, Clone, Copy)]
pub struct Passing {
    pub to_server: bool,
    pub bytes: &'static [u8],
}

/// Leads to one server. Closed, with all connections, when it is dropped.
pub struct Wire {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    close: watch::Sender<()>,
}

struct Shared {
    /// Of the wire.
    address: SocketAddr,
    server: SocketAddr,
    cuts: AtomicU64,
    trap: Mutex<Option<Arc<Trap>>>,
    held: watch::Sender<bool>,
}

/// Springs once, on whichever of its wires it is first.
struct Trap {
    passing: Passing,
    sprung: Mutex<Option<oneshot::Sender<SocketAddr>>>,
}

impl Wire {
    /// # Errors
    /// When no port can be had.
    pub async fn to(server: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let shared = Arc::new(Shared {
            address: listener.local_addr()?,
            server,
            cuts: AtomicU64::new(0),
            trap: Mutex::new(None),
            held: watch::Sender::new(false),
        });
        let wire = Self { address: shared.address, shared, close: watch::Sender::new(()) };
        tokio::spawn(listen(listener, wire.shared.clone(), wire.close.clone()));
        Ok(wire)
    }

    /// Cuts each connection in the middle of what it carries next.
    pub async fn cut(&self) {
        self.shared.cuts.fetch_add(1, Ordering::Relaxed);
        sleep(CUT_WITHIN).await;
        self.close.send_replace(());
    }

    /// Lets nothing pass for a while, as if the network were broken: nobody is told. Then all of it.
    pub async fn hold(&self, lasts: Duration) {
        self.shared.held.send_replace(true);
        sleep(lasts).await;
        self.shared.held.send_replace(false);
    }

    /// Waits until these bytes are about to pass on one of these wires, and answers its address. There they never do, nor does
    /// anything after them on that connection; what passes on the others, and all when nobody waits any more, does.
    ///
    /// # Errors
    /// When others wait for something on all of these wires instead.
    pub async fn stopped_at(
        wires: impl Iterator<Item = &Self>,
        passing: Passing,
    ) -> Result<SocketAddr, RecvError> {
        let (sender, sprung) = oneshot::channel();
        let trap = Arc::new(Trap { passing, sprung: Mutex::new(Some(sender)) });
        for wire in wires {
            *lock(&wire.shared.trap) = Some(trap.clone());
        }
        drop(trap);
        sprung.await
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    async fn let_pass(&self) {
        // The sender is here.
        let _ = self.held.subscribe().wait_for(|held| !held).await;
    }

    /// Where in this the bytes begin that are waited for.
    fn springs(&self, to_server: bool, chunk: &[u8]) -> Option<usize> {
        let mut trap = lock(&self.trap);
        let waiting = trap.clone()?;
        let mut sprung = lock(&waiting.sprung);
        if sprung.as_ref().is_none_or(oneshot::Sender::is_closed) {
            *trap = None;
            return None;
        }
        let Passing { bytes, to_server: their_way } = waiting.passing;
        let position = chunk.windows(bytes.len()).position(|passing| passing == bytes)?;
        let springs = their_way == to_server && sprung.take()?.send(self.address).is_ok();
        springs.then_some(position)
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>, close: watch::Sender<()>) {
    let mut closed = close.subscribe();
    drop(close);
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((process, _)) = accepted {
                    tokio::spawn(lead(process, shared.clone(), closed.clone()));
                }
            }
            changed = closed.changed() => if changed.is_err() { return },
        }
    }
}

/// Until either side closes, and then both.
async fn lead(process: TcpStream, shared: Arc<Shared>, mut closed: watch::Receiver<()>) {
    closed.mark_unchanged();
    shared.let_pass().await;
    let Ok(server) = TcpStream::connect(shared.server).await else { return };
    if process.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    let ((from_process, to_process), (from_server, to_server)) = (process.into_split(), server.into_split());
    tokio::select! {
        () = pump(from_process, to_server, true, &shared) => {}
        () = pump(from_server, to_process, false, &shared) => {}
        _ = closed.changed() => {}
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    to_server: bool,
    shared: &Shared,
) {
    let cuts = shared.cuts.load(Ordering::Relaxed);
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let chunk = &buffer[..length];
        shared.let_pass().await;
        if let Some(position) = shared.springs(to_server, chunk) {
            let _ = to.write_all(&chunk[..position]).await;
            return swallow(from, to_server).await;
        }
        if shared.cuts.load(Ordering::Relaxed) != cuts {
            let _ = to.write_all(&chunk[..length / 2]).await;
            return;
        }
        if to.write_all(chunk).await.is_err() {
            return;
        }
    }
    // That it is closed is not told either.
    shared.let_pass().await;
}

/// Until the process is gone: the other direction notices if this is not the one that hears from it.
async fn swallow(mut from: impl AsyncRead + Unpin, to_server: bool) {
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

    /// A server that sends back what it gets, all that it got once a connection is closed, and a connection to it.
    async fn connected() -> (Wire, TcpStream, mpsc::UnboundedReceiver<Vec<u8>>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let wire = Wire::to(listener.local_addr().expect("its address")).await.expect("a port");
        let (closed, ended) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut got = Vec::new();
                while let Ok(1..) = stream.read_buf(&mut got).await {
                    let _ = stream.write_all(&got).await;
                }
                let _ = closed.send(got);
            }
        });
        let process = TcpStream::connect(wire.address).await.expect("a connection");
        (wire, process, ended)
    }

    async fn echoed(process: &mut TcpStream, sent: &[u8]) -> Vec<u8> {
        process.write_all(sent).await.expect("it takes");
        let mut got = vec![0; 64];
        let length = tokio::time::timeout(Duration::from_millis(200), process.read(&mut got)).await;
        got.truncate(length.map_or(0, Result::unwrap_or_default));
        got
    }

    #[tokio::test]
    async fn half_of_what_is_under_way_passes_a_cut() {
        let (wire, mut process, mut ended) = connected().await;
        assert_eq!(echoed(&mut process, b"whole, ").await, b"whole, ");
        tokio::join!(wire.cut(), async { process.write_all(b"halves").await.expect("it takes") });
        assert_eq!(ended.recv().await.expect("a connection"), b"whole, hal");
    }

    #[tokio::test]
    async fn nobody_is_told_of_a_close_while_the_wire_is_held() {
        let (wire, mut process, mut ended) = connected().await;
        assert_eq!(echoed(&mut process, b"goodbye").await, b"goodbye");
        let (held, ()) = tokio::join!(
            async {
                drop(process);
                tokio::time::timeout(Duration::from_millis(200), ended.recv()).await
            },
            wire.hold(Duration::from_millis(300))
        );
        assert!(held.is_err(), "the server was told");
        assert_eq!(ended.recv().await.expect("a connection"), b"goodbye");
    }

    #[tokio::test]
    async fn what_is_held_passes_later() {
        let (wire, mut process, _) = connected().await;
        let (held, ()) = tokio::join!(
            async {
                sleep(Duration::from_millis(20)).await;
                echoed(&mut process, b"late").await
            },
            wire.hold(Duration::from_millis(300))
        );
        assert_eq!(held, b"", "the wire was held");
        assert_eq!(echoed(&mut process, b"").await, b"late");
    }

    #[tokio::test]
    async fn what_is_waited_for_does_not_pass() {
        let (wire, mut process, _) = connected().await;
        let commit = Passing { to_server: false, bytes: b"COMMIT" };
        let (other, mut free, _) = connected().await;
        let (got, stopped) = tokio::join!(
            async {
                assert_eq!(echoed(&mut process, b"BEGIN").await, b"BEGIN");
                echoed(&mut process, b"COMMIT").await
            },
            Wire::stopped_at([&wire, &other].into_iter(), commit)
        );
        assert_eq!(got, b"BEGIN", "the server's COMMIT came through, or what was before it did not");
        assert_eq!(stopped.expect("it springs"), wire.address);
        assert_eq!(echoed(&mut free, b"COMMIT").await, b"COMMIT", "one trap sprang twice");
    }
}
