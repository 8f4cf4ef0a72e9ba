//! The sandbox as a whole: start and stop.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use poem::{
    Server,
    listener::{Acceptor, Listener, TcpListener},
};
use tokio::{net, sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    notifications::{deliver_notifications, register_configured_webhook},
    refund_processing::complete_refund_later,
    server,
    smtp::serve_smtp,
    state::SandboxState,
};

/// The time limit for open requests when the sandbox stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// A running sandbox. Dropping it stops it. [`Sandbox::stop`] also waits until it has stopped.
pub struct Sandbox {
    address: SocketAddr,
    state: Arc<SandboxState>,
    shutdown: CancellationToken,
    server: JoinHandle<io::Result<()>>,
}

impl Sandbox {
    /// Starts the sandbox. It accepts requests when this returns.
    ///
    /// # Errors
    /// When a setting is invalid, an address is in use, or the append-only log cannot be read.
    pub async fn start(config: Config) -> anyhow::Result<Self> {
        config.validate()?;
        // reqwest is built without a TLS provider. The call fails only if a provider is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind(config.listen).into_acceptor().await;
        let acceptor = listener.with_context(|| format!("cannot listen at {}", config.listen))?;
        let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
        let address = address.context("the listener has no address")?;
        let mail_listener = match config.mail_listen {
            Some(address) => Some(bind_mail_listener(address).await?),
            None => None,
        };
        let mail_address = mail_listener.as_ref().map(net::TcpListener::local_addr).transpose()?;
        let (due_notifications, receiver) = mpsc::unbounded_channel();
        let state = Arc::new(SandboxState::open(config, mail_address, due_notifications)?);
        start_background_tasks(&state, receiver);
        if let Some(listener) = mail_listener {
            state.spawn(serve_smtp(state.clone(), listener));
        }
        let shutdown = CancellationToken::new();
        let server = Server::new_with_acceptor(acceptor).run_with_graceful_shutdown(
            server::routes(&state),
            shutdown.clone().cancelled_owned(),
            Some(DRAIN_TIMEOUT),
        );
        Ok(Self { address, state, shutdown, server: tokio::spawn(server) })
    }

    /// Returns the address on which the sandbox listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the base URL, such as `http://127.0.0.1:8082`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the address of the mail catcher, an SMTP server without TLS. Without one, it is `None`.
    #[must_use]
    pub fn mail_address(&self) -> Option<SocketAddr> {
        self.state.mail_address
    }

    /// Stops the sandbox: completes open requests and releases the append-only log.
    pub async fn stop(mut self) {
        self.shutdown.cancel();
        if let Ok(Err(error)) = (&mut self.server).await {
            tracing::error!(%error, "server failed");
        }
        self.state.take_tasks().shutdown().await;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.shutdown.cancel();
        self.state.take_tasks().abort_all();
    }
}

async fn bind_mail_listener(address: SocketAddr) -> anyhow::Result<net::TcpListener> {
    let listener = net::TcpListener::bind(address).await;
    listener.with_context(|| format!("cannot listen at {address} for mails"))
}

/// Starts the tasks that run beside the server.
fn start_background_tasks(state: &Arc<SandboxState>, due_notifications: mpsc::UnboundedReceiver<String>) {
    state.spawn(deliver_notifications(state.clone(), due_notifications));
    // An earlier process may have stopped before it completed these refunds.
    let refunds = state.bank().processing_refunds();
    for (end_to_end_id, refund_id) in refunds {
        state.spawn(complete_refund_later(state.clone(), end_to_end_id, refund_id));
    }
    if let Some(webhook) = &state.config.register {
        state.spawn(register_configured_webhook(state.clone(), webhook.clone()));
    }
}
