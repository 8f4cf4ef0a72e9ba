//! The api: validates requests, publishes commands, and serves reads.

mod account;
mod admin;
mod auth;
mod captcha;
mod character;
mod commands;
pub mod config;
mod game;
mod guild;
mod health;
mod http;
mod middleware;
mod news;
mod openapi;
mod payments;
mod pictures;
pub mod providers;
pub mod server;
mod shop;
mod state;

use std::collections::BTreeMap;

use metrics_exporter_prometheus::PrometheusHandle;
use poem::Endpoint;

use self::{
    account::{
        Accounts, captcha::CaptchaOffers, characters::CharacterChanges, cookie_session::CookieSessions,
        leaving::AccountLeaving, link_code::LinkCodes, second_factor::SecondFactor,
        security::AccountSecurity, sessions::AccountSessions,
    },
    character::Characters,
    commands::Operations,
    game::Games,
    guild::{Guilds, card::GuildCards, logos::GuildLogos, members::GuildMembers},
    news::News,
    openapi::Documented,
    payments::Payments,
    shop::Shop,
};
pub use self::{
    news::to_html,
    pictures::logo::{InvalidPicture, draw_logo},
    state::State,
};

type Apis = (
    Documented<Accounts>,
    Documented<AccountSecurity>,
    Documented<AccountLeaving>,
    Documented<AccountSessions>,
    Documented<SecondFactor>,
    Documented<CookieSessions>,
    // At most 16 APIs can stand side by side.
    (Documented<CharacterChanges>, Documented<LinkCodes>, Documented<Characters>),
    Documented<CaptchaOffers>,
    (Documented<Guilds>, Documented<GuildMembers>, Documented<GuildLogos>, Documented<GuildCards>),
    Documented<Shop>,
    Documented<News>,
    Documented<Payments>,
    Documented<Operations>,
    Documented<Games>,
    admin::Apis,
);

fn apis(state: &State) -> Apis {
    (
        Documented(Accounts { state: state.clone() }),
        Documented(AccountSecurity { state: state.clone() }),
        Documented(AccountLeaving { state: state.clone() }),
        Documented(AccountSessions { state: state.clone() }),
        Documented(SecondFactor { state: state.clone() }),
        Documented(CookieSessions { state: state.clone() }),
        (
            Documented(CharacterChanges { state: state.clone() }),
            Documented(LinkCodes { state: state.clone() }),
            Documented(Characters { state: state.clone() }),
        ),
        Documented(CaptchaOffers { state: state.clone() }),
        (
            Documented(Guilds { state: state.clone() }),
            Documented(GuildMembers { state: state.clone() }),
            Documented(GuildLogos { state: state.clone() }),
            Documented(GuildCards { state: state.clone() }),
        ),
        Documented(Shop { state: state.clone() }),
        Documented(News { state: state.clone() }),
        Documented(Payments { state: state.clone() }),
        Documented(Operations { commands: state.commands.clone() }),
        Documented(Games { state: state.clone() }),
        admin::apis(state),
    )
}

/// The OpenAPI document as JSON. It is made from types, so it needs no server.
#[must_use]
pub fn document() -> String {
    openapi::document::<Apis>()
}

/// The name of the command that each operation sends, by the id of the operation.
#[must_use]
pub fn sent_commands() -> BTreeMap<String, String> {
    openapi::sent_commands::<Apis>()
}

/// All routes of the api inside the middleware.
pub fn app(state: State, metrics: PrometheusHandle) -> impl Endpoint + 'static {
    let routes = health::routes(state.clone(), metrics);
    let routes = openapi::pages::add(routes, document);
    let routes = openapi::routes::add(routes, apis(&state));
    middleware::wrap(routes, state)
}
