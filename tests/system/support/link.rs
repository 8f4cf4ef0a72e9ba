//! A TCP proxy between a site and one of its servers. A test cuts it, freezes it and restores it.

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
enum Condition {
    #[default]
    Working,
    /// Connections are closed, and new ones are closed as soon as they have sent something.
    Cut,
    /// Connections stay open, and no byte is forwarded.
    Frozen,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    condition: Condition,
    /// How often the existing connections were abandoned. Older connections forward nothing any more.
    generation: u32,
    /// Directions of connections that are open: two for each connection.
    open_directions: usize,
}

/// A link to a server.
pub(crate) struct Link {
    /// The server's URL with the address of the proxy.
    pub(crate) url: String,
    state: Arc<watch::Sender<State>>,
}

impl Link {
    /// Starts a proxy to the server of this URL.
    pub(crate) async fn to(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (user, address) = rest.rsplit_once('@').map_or(("", rest), |(user, address)| (user, address));
        let (target, path) = address.split_once('/').unwrap_or((address, ""));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = listener.local_addr().unwrap();
        let user = if user.is_empty() { String::new() } else { format!("{user}@") };
        let state = Arc::<watch::Sender<State>>::default();
        tokio::spawn(accept(listener, target.to_owned(), state.clone()));
        Self { url: format!("{scheme}://{user}{proxy}/{path}"), state }
    }

    pub(crate) fn cut(&self) {
        self.set(Condition::Cut);
    }

    pub(crate) fn freeze(&self) {
        self.set(Condition::Frozen);
    }

    pub(crate) fn restore(&self) {
        self.set(Condition::Working);
    }

    /// Restores the link for new connections. Existing ones stay open and silent, as when their server has lost its power.
    pub(crate) fn restore_for_new_connections(&self) {
        self.state.send_modify(|state| {
            state.condition = Condition::Working;
            state.generation += 1;
        });
    }

    /// Whether a connection is open in either direction.
    pub(crate) fn has_connections(&self) -> bool {
        self.state.borrow().open_directions > 0
    }

    fn set(&self, condition: Condition) {
        self.state.send_modify(|state| state.condition = condition);
    }
}

async fn accept(listener: TcpListener, target: String, state: Arc<watch::Sender<State>>) {
    while let Ok((mut client, _)) = listener.accept().await {
        if state.borrow().condition == Condition::Cut {
            // A proxy without a server does the same: it reads the client's greeting and closes the connection.
            tokio::spawn(async move { client.read(&mut [0; 1024]).await });
            continue;
        }
        let Ok(server) = TcpStream::connect(&target).await else { continue };
        let ((client_read, client_write), (server_read, server_write)) =
            (client.into_split(), server.into_split());
        state.send_modify(|state| state.open_directions += 2);
        for (from, to) in [(client_read, server_write), (server_read, client_write)] {
            let state = state.clone();
            tokio::spawn(async move {
                forward(from, to, state.subscribe()).await;
                state.send_modify(|state| state.open_directions -= 1);
            });
        }
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut state: watch::Receiver<State>) {
    let generation = state.borrow().generation;
    let is_cut = |state: &State| state.condition == Condition::Cut;
    let forwards = |state: &State| state.condition == Condition::Working && state.generation == generation;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = state.wait_for(is_cut) => return,
        };
        let Ok(length @ 1..) = read else { return };
        let decided = state.wait_for(|state| is_cut(state) || forwards(state)).await;
        let Ok(state_now) = decided.map(|state| *state) else { return };
        if is_cut(&state_now) || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
