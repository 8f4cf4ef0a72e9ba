//! A payment provider to develop and test against: a bank without money that speaks the Brazilian
//! central bank's API Pix 2.9.0, with buttons that pay and faults on demand.

mod api;
mod bank;
mod br_code;
pub mod config;
mod control;
mod faults;
mod money;
mod notify;
mod oauth;

use std::{
    collections::VecDeque,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::Context;
use poem::{
    Endpoint, EndpointExt, Route, Server, get, handler,
    listener::{Acceptor, Listener, TcpListener},
    post,
};
use tokio::{
    sync::{mpsc, watch},
    task::{JoinHandle, JoinSet},
};
use tokio_util::sync::CancellationToken;

use self::{bank::Bank, config::Config, faults::Faults, notify::Attempt};

/// How many attempts to notify are remembered.
const REMEMBERED: usize = 1000;
/// For what is in hand when the sandbox is stopped.
const GRACE: Duration = Duration::from_secs(2);

/// What every endpoint has at hand. No lock is held across an await, nor together with another.
struct State {
    config: Config,
    bank: Mutex<Bank>,
    faults: Mutex<Faults>,
    attempts: Mutex<VecDeque<Attempt>>,
    /// End-to-end ids that a notification is due of.
    due: mpsc::UnboundedSender<String>,
    /// How many notifications have been sent.
    sent: watch::Sender<u64>,
    tasks: Mutex<JoinSet<()>>,
    http: reqwest::Client,
}

impl State {
    fn bank(&self) -> MutexGuard<'_, Bank> {
        lock(&self.bank)
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        lock(&self.faults)
    }

    fn notify(&self, end_to_end_id: &str) {
        // Fails only when the sandbox is being stopped.
        let _ = self.due.send(end_to_end_id.to_owned());
    }

    fn log(&self, attempt: Attempt) {
        let mut attempts = lock(&self.attempts);
        attempts.push_front(attempt);
        attempts.truncate(REMEMBERED);
    }

    /// Starts what goes on until it is done or the sandbox is stopped.
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = lock(&self.tasks);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }
}

/// What a panic left behind is whole: changes are made in one piece.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running sandbox. Dropping it stops it; [`Sandbox::stop`] also waits until it has stopped.
pub struct Sandbox {
    address: SocketAddr,
    state: Arc<State>,
    stop: CancellationToken,
    server: JoinHandle<io::Result<()>>,
}

impl Sandbox {
    /// Answers from the moment this returns.
    ///
    /// # Errors
    /// When the address is taken, the journal cannot be read, or a setting cannot be used.
    pub async fn start(config: Config) -> anyhow::Result<Self> {
        config.check()?;
        // reqwest is built without one of its own. Fails only if it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind(config.listen).into_acceptor().await;
        let acceptor = listener.with_context(|| format!("listening at {}", config.listen))?;
        let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
        let (due, is_due) = mpsc::unbounded_channel();
        let state = Arc::new(State {
            bank: Mutex::new(Bank::open(config.data.as_deref())?),
            faults: Mutex::default(),
            attempts: Mutex::default(),
            due,
            sent: watch::Sender::new(0),
            tasks: Mutex::default(),
            http: reqwest::Client::builder().no_proxy().build()?,
            config,
        });
        begin(&state, is_due);
        let stop = CancellationToken::new();
        let server = Server::new_with_acceptor(acceptor).run_with_graceful_shutdown(
            routes(&state),
            stop.clone().cancelled_owned(),
            Some(GRACE),
        );
        let address = address.context("the listener has no address")?;
        Ok(Self { address, state, stop, server: tokio::spawn(server) })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it answers: `http://127.0.0.1:8082`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops, when what is in hand is answered, and lets go of the journal.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if let Ok(Err(error)) = (&mut self.server).await {
            tracing::error!(%error, "the server failed");
        }
        let mut tasks = std::mem::take(&mut *lock(&self.state.tasks));
        tasks.shutdown().await;
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.stop.cancel();
        lock(&self.state.tasks).abort_all();
    }
}

/// Starts what nobody waits for.
fn begin(state: &Arc<State>, due: mpsc::UnboundedReceiver<String>) {
    state.spawn(notify::deliver(state.clone(), due));
    let unsettled = state.bank().unsettled();
    for (pix, refund) in unsettled {
        state.spawn(api::settle_later(state.clone(), pix, refund));
    }
    if let Some(webhook) = &state.config.register {
        state.spawn(notify::keep_registering(state.clone(), webhook.clone()));
    }
}

fn routes(state: &Arc<State>) -> impl Endpoint + use<> {
    let mut routes = Route::new()
        .at("/", get(control::page))
        .at("/healthz", get(healthz))
        .at("/oauth/token", post(oauth::give_token))
        .nest("/sandbox", control::routes())
        .nest("/api/v2", api::routes(state));
    // Banks differ in what stands before the paths of the standard: here nothing may.
    for area in ["/cob", "/pix", "/webhook"] {
        routes = routes.nest_no_strip(area, api::routes(state));
    }
    routes.catch_all_error(api::any_problem).data(state.clone())
}

#[handler]
fn healthz() -> &'static str {
    "ok"
}
