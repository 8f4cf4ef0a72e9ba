//! The front service: validates requests, publishes commands, serves reads.

mod account;
mod admin;
mod auth;
mod commands;
pub mod config;
mod game;
mod guild;
mod http;
mod middleware;
mod news;
mod openapi;
mod operations;
mod payments;
pub mod server;
mod shop;
mod state;

use bytes::Bytes;
use metrics_exporter_prometheus::PrometheusHandle;
use poem::{Endpoint, Response, endpoint::make_sync, get};

use self::{
    account::Accounts,
    admin::Administration,
    game::Games,
    guild::Guilds,
    http::{health, json::JSON},
    news::News,
    openapi::Documented,
    operations::Operations,
    payments::Payments,
    shop::Shop,
};
pub use self::{news::to_html, state::State};

type Apis = (
    Documented<Accounts>,
    Documented<Guilds>,
    Documented<Shop>,
    Documented<News>,
    Documented<Payments>,
    Documented<Operations>,
    Documented<Games>,
    Documented<Administration>,
);

fn apis(state: &State) -> Apis {
    (
        Documented(Accounts { state: state.clone() }),
        Documented(Guilds { state: state.clone() }),
        Documented(Shop { state: state.clone() }),
        Documented(News { state: state.clone() }),
        Documented(Payments { state: state.clone() }),
        Documented(Operations { commands: state.commands.clone() }),
        Documented(Games { state: state.clone() }),
        Documented(Administration { state: state.clone() }),
    )
}

/// The OpenAPI document as JSON. It follows from the types, so it needs no server.
#[must_use]
pub fn document() -> String {
    openapi::document::<Apis>()
}

/// An endpoint with a constant response.
fn constant(media_type: &'static str, body: String) -> impl Endpoint + 'static {
    let body = Bytes::from(body);
    make_sync(move |_| Response::builder().content_type(media_type).body(body.clone()))
}

/// All routes of the service, with the middleware around them.
pub fn app(state: &State, metrics: PrometheusHandle) -> impl Endpoint + 'static {
    let service = openapi::service(apis(state));
    let document = document();
    let page = service.swagger_ui_html().replace(&service.spec(), &document);
    let routes = health::routes(state.clone(), metrics)
        .at("/openapi.json", get(constant(JSON, document)))
        .at("/docs", get(constant("text/html; charset=utf-8", page)))
        .nest("/", service);
    middleware::wrap(routes, state)
}
