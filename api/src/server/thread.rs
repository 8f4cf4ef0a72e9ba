//! A thread that serves connections beside the main thread.

use std::{io, num::NonZeroUsize, thread};

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A thread with a runtime of its own. All steps of a request are on one thread, because waking another thread costs more processor
/// time than most steps. The thread ends when this is dropped.
pub struct ServingThread {
    runtime: Handle,
    _end: DropGuard,
}

impl ServingThread {
    /// Starts a thread for each processor but one, which is for the main thread.
    ///
    /// # Errors
    /// The system has no thread or no file for it.
    pub fn start_all() -> io::Result<Vec<Self>> {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        (1..processors).map(|_| Self::start()).collect()
    }

    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (handle, end) = (runtime.handle().clone(), CancellationToken::new());
        let ended = end.clone();
        thread::Builder::new().name("http".to_owned()).spawn(move || runtime.block_on(ended.cancelled()))?;
        Ok(Self { runtime: handle, _end: end.drop_guard() })
    }

    #[must_use]
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }
}

#[cfg(test)]
mod tests {
    use poem::endpoint::make_sync;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::*;
    use crate::{
        http::client_address::TrustedProxies,
        server::{ConnectionLimits, Server, serve},
    };

    /// Which thread serves a request of a new connection. Its text ends the response.
    async fn serves_in_main_thread(address: std::net::SocketAddr) -> bool {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.ends_with(" main") || response.ends_with(" http"), "{response}");
        response.ends_with(" main")
    }

    #[tokio::test]
    async fn threads_take_new_connections_in_turn() {
        let main = thread::current().id();
        let app = || make_sync(move |_| if thread::current().id() == main { "in main" } else { "in http" });
        let thread = ServingThread::start().unwrap();
        let servers =
            vec![Server::new(app(), Handle::current()), Server::new(app(), thread.runtime().clone())];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let limits =
            ConnectionLimits { total: 9, per_address: 9, trusted_proxies: TrustedProxies::default() };
        tokio::spawn(serve(listener, servers, limits, std::future::pending()));
        for is_main in [true, false, true, false] {
            assert_eq!(serves_in_main_thread(address).await, is_main);
        }
    }
}
