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
pub mod health;
mod http;
mod middleware;
mod news;
mod openapi;
mod payments;
mod pictures;
mod providers;
pub mod server;
mod shop;
mod state;

use std::collections::BTreeMap;

use poem::{Endpoint, Route};

use self::{
    account::{
        Accounts, captcha::CaptchaOffers, characters::CharacterChanges, cookie_session::CookieSessions,
        email::AccountEmail, language::AccountLanguage, leaving::AccountLeaving, link_code::LinkCodes,
        passwords::AccountPasswords, second_factor::SecondFactor, sessions::AccountSessions,
    },
    character::Characters,
    commands::Operations,
    game::{GameFeed, GameImport, Games},
    guild::{Guilds, card::GuildCards, logos::GuildLogos, members::GuildMembers},
    news::News,
    openapi::Documented,
    payments::Payments,
    shop::{Purchases, ShopCategories, ShopOffers},
};
pub use self::{
    pictures::logo::{InvalidPicture, draw_logo},
    state::State,
};

type Apis = (
    Documented<Accounts>,
    (Documented<AccountEmail>, Documented<AccountPasswords>, Documented<AccountLanguage>),
    Documented<AccountLeaving>,
    Documented<AccountSessions>,
    Documented<SecondFactor>,
    Documented<CookieSessions>,
    // At most 16 APIs can stand side by side.
    (Documented<CharacterChanges>, Documented<LinkCodes>, Documented<Characters>),
    Documented<CaptchaOffers>,
    (Documented<Guilds>, Documented<GuildMembers>, Documented<GuildLogos>, Documented<GuildCards>),
    (Documented<ShopCategories>, Documented<ShopOffers>, Documented<Purchases>),
    Documented<News>,
    Documented<Payments>,
    Documented<Operations>,
    (Documented<Games>, Documented<GameFeed>, Documented<GameImport>),
    admin::AdminApis,
);

fn apis(state: &State) -> Apis {
    (
        Documented(Accounts { state: state.clone() }),
        (
            Documented(AccountEmail { state: state.clone() }),
            Documented(AccountPasswords { state: state.clone() }),
            Documented(AccountLanguage { state: state.clone() }),
        ),
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
        (
            Documented(ShopCategories { state: state.clone() }),
            Documented(ShopOffers { state: state.clone() }),
            Documented(Purchases { state: state.clone() }),
        ),
        Documented(News { state: state.clone() }),
        Documented(Payments { state: state.clone() }),
        Documented(Operations { commands: state.commands.clone() }),
        (
            Documented(Games { state: state.clone() }),
            Documented(GameFeed { state: state.clone() }),
            Documented(GameImport { state: state.clone() }),
        ),
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
pub fn app(state: State) -> impl Endpoint + 'static {
    let routes = openapi::pages::add(Route::new(), document);
    let routes = openapi::routes::add(routes, apis(&state));
    middleware::wrap(routes, state)
}
