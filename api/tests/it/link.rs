//! A wire to a server that can be cut and frozen.

use std::sync::Arc;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Whole,
    /// Connections break, and new ones are closed at once.
    Cut,
    /// Connections stand and nothing moves.
    Frozen,
}

/// A wire between the site and one of its servers.
pub(crate) struct Link {
    /// The server's URL, through the wire.
    pub(crate) url: String,
    wire: Arc<watch::Sender<Wire>>,
}

impl Link {
    /// A wire to the server of this URL.
    pub(crate) async fn to(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (user, place) = rest.rsplit_once('@').map_or(("", rest), |(user, place)| (user, place));
        let (target, path) = place.split_once('/').map_or((place, ""), |(target, path)| (target, path));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let user = if user.is_empty() { String::new() } else { format!("{user}@") };
        let wire = Arc::new(watch::channel(Wire::Whole).0);
        tokio::spawn(accept(listener, target.to_owned(), wire.clone()));
        Self { url: format!("{scheme}://{user}{here}/{path}"), wire }
    }

    pub(crate) fn cut(&self) {
        self.wire.send_replace(Wire::Cut);
    }

    pub(crate) fn freeze(&self) {
        self.wire.send_replace(Wire::Frozen);
    }

    pub(crate) fn mend(&self) {
        self.wire.send_replace(Wire::Whole);
    }
}

async fn accept(listener: TcpListener, target: String, wire: Arc<watch::Sender<Wire>>) {
    while let Ok((mut near, _)) = listener.accept().await {
        if *wire.borrow() == Wire::Cut {
            // As a proxy does whose server is away: it hears the greeting, and hangs up.
            tokio::spawn(async move { near.read(&mut [0; 1024]).await });
            continue;
        }
        let Ok(far) = TcpStream::connect(&target).await else { continue };
        let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
        tokio::spawn(pump(near_read, far_write, wire.subscribe()));
        tokio::spawn(pump(far_read, near_write, wire.subscribe()));
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut wire: watch::Receiver<Wire>) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = wire.wait_for(|wire| *wire == Wire::Cut) => return,
        };
        let Ok(length @ 1..) = read else { return };
        let Ok(state) = wire.wait_for(|wire| *wire != Wire::Frozen).await.map(|state| *state) else { return };
        if state == Wire::Cut || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
