//! A wire to a server that can be cut and frozen, and moved to another.

use std::sync::Arc;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Wire {
    #[default]
    Whole,
    /// Connections break, and new ones are closed at once.
    Cut,
    /// Connections stand and nothing moves.
    Frozen,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    wire: Wire,
    /// How often connections were left where they stood: those of before carry nothing any more.
    stranded: u32,
}

/// A wire between the site and one of its servers.
pub(crate) struct Link {
    /// The server's URL, through the wire.
    pub(crate) url: String,
    state: Arc<watch::Sender<State>>,
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
        let state = Arc::<watch::Sender<State>>::default();
        tokio::spawn(accept(listener, target.to_owned(), state.clone()));
        Self { url: format!("{scheme}://{user}{here}/{path}"), state }
    }

    pub(crate) fn cut(&self) {
        self.set(Wire::Cut);
    }

    pub(crate) fn freeze(&self) {
        self.set(Wire::Frozen);
    }

    pub(crate) fn mend(&self) {
        self.set(Wire::Whole);
    }

    /// As [`Self::mend`], but only for connections from now on: of the others nobody hears again, not even their end.
    pub(crate) fn strand(&self) {
        self.state.send_modify(|state| *state = State { wire: Wire::Whole, stranded: state.stranded + 1 });
    }

    fn set(&self, wire: Wire) {
        self.state.send_modify(|state| state.wire = wire);
    }
}

async fn accept(listener: TcpListener, target: String, state: Arc<watch::Sender<State>>) {
    while let Ok((mut near, _)) = listener.accept().await {
        if state.borrow().wire == Wire::Cut {
            // As a proxy does whose server is away: it hears the greeting, and hangs up.
            tokio::spawn(async move { near.read(&mut [0; 1024]).await });
            continue;
        }
        let Ok(far) = TcpStream::connect(&target).await else { continue };
        let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
        tokio::spawn(pump(near_read, far_write, state.subscribe()));
        tokio::spawn(pump(far_read, near_write, state.subscribe()));
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut state: watch::Receiver<State>) {
    let born = state.borrow().stranded;
    let cut = |state: &State| state.wire == Wire::Cut;
    let carries = |state: &State| state.wire == Wire::Whole && state.stranded == born;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = state.wait_for(cut) => return,
        };
        let Ok(length @ 1..) = read else { return };
        let Ok(now) = state.wait_for(|state| cut(state) || carries(state)).await.map(|now| *now) else {
            return;
        };
        if cut(&now) || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
