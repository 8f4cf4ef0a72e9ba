//! The calls into the api, the workers and the testkit that no other file of the tests makes.
//!
//! Renamed items of these crates are adapted here, in `options`, `site` and `bank`.

use std::{collections::BTreeMap, net::TcpListener, time::Duration};

use clap::{Args, Command, error::ErrorKind};
use guildhall_api::{
    State, app,
    config::ApiConfig,
    health::{self, ThreadCheck},
    server::{self, Server},
};
use guildhall_common::platform::config::Logging;
use metrics_exporter_prometheus::PrometheusBuilder;
use poem::listener::TcpAcceptor;
use serde_json::Value;
use sqlx::PgPool;
use tokio::{runtime::Handle, task::JoinSet};

use super::client::Client;

use guildhall_testkit::money::check_money;
pub(crate) use guildhall_workers::operator::{audit_texts, dead_letters};

/// The OpenAPI document of the api, as text.
pub(crate) fn openapi_text() -> String {
    guildhall_api::document()
}

/// The OpenAPI document of the api.
pub(crate) fn openapi_document() -> Value {
    serde_json::from_str(&openapi_text()).unwrap()
}

/// Environment variables of a service, each with its default; `None` is a required setting.
pub(crate) type SettingDefaults = BTreeMap<String, Option<String>>;

pub(crate) fn api_settings() -> SettingDefaults {
    settings::<guildhall_api::config::ApiConfig>()
}

pub(crate) fn workers_settings() -> SettingDefaults {
    settings::<guildhall_workers::config::WorkersConfig>()
}

/// Whether a service that has the setting refuses the value. The workers are the first one.
pub(crate) fn refuses_setting(flag: &str, value: &str) -> bool {
    let workers = guildhall_workers::config::WorkersConfig::augment_args(Command::new("service"));
    let api = guildhall_api::config::ApiConfig::augment_args(Command::new("service"));
    let has_setting =
        |command: &Command| command.get_arguments().any(|argument| argument.get_long() == Some(&flag[2..]));
    let service = [workers, api].into_iter().find(has_setting).unwrap();
    // Required settings are missing, but an invalid value is found first.
    let result = service.try_get_matches_from(["service", &format!("{flag}={value}")]);
    result.is_err_and(|error| [ErrorKind::ValueValidation, ErrorKind::InvalidValue].contains(&error.kind()))
}

fn settings<C: Args>() -> SettingDefaults {
    let command = Logging::augment_args(C::augment_args(Command::new("service")));
    let settings =
        command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(|argument| {
            let default =
                argument.get_default_values().first().map(|value| value.to_str().unwrap().to_owned());
            let default = default.or_else(|| (!argument.is_required_set()).then(String::new));
            Some((argument.get_env()?.to_str().unwrap().to_owned(), default))
        });
    settings.collect()
}

/// An api that runs in this process.
pub(crate) struct RunningApi {
    pub(crate) url: String,
    /// The client of its health checks.
    pub(crate) health: Client,
    /// A test can let it drain.
    pub(crate) state: State,
    _tasks: JoinSet<()>,
}

/// Serves the api at free ports until it is dropped.
pub(crate) fn serve_api(config: &ApiConfig) -> RunningApi {
    let state = State::new(config).unwrap();
    let mut tasks = JoinSet::new();
    let (listener, url) = listen();
    let limits = state.connection_limits();
    let server = Server::new(app(state.clone()), Handle::current());
    tasks.spawn(server::serve(listener, vec![server], limits, std::future::pending()));
    let metrics = PrometheusBuilder::new().build_recorder().handle();
    let check = ThreadCheck { runtimes: vec![Handle::current()], time_limit: Duration::from_secs(60) };
    let routes = health::routes(state.clone(), check, metrics);
    let (listener, health) = listen();
    tasks.spawn(async {
        poem::Server::new_with_acceptor(TcpAcceptor::from_tokio(listener).unwrap()).run(routes).await.unwrap()
    });
    RunningApi { url, health: Client::new(&health), state, _tasks: tasks }
}

/// A free port, and the URL of its server.
fn listen() -> (tokio::net::TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (tokio::net::TcpListener::from_std(listener).unwrap(), url)
}

/// The inconsistencies between coins, receipts and refunds; empty if the ledger is consistent.
pub(crate) async fn ledger_errors(database: &PgPool) -> Vec<String> {
    check_money(database).await.unwrap()
}
