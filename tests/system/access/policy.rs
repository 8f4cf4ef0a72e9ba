//! The access policy of every operation.

use guildhall_common::contract::{
    self,
    command::{RefusalKind, Sender},
};
use serde_json::{Value, json};

use self::{
    Audience::{Admins, Banks, Browsers, Editors, GameServers, Merchants, OptionalToken, Players, Public},
    Scope::{All, Forbidden, NotFound, ShowsMarker},
};
use super::principal::Principal::{self, Admin, Bank, Editor, GameServer, Merchant, OtherPlayer, Owner};

/// The principals that an operation admits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Audience {
    /// The api does not look at tokens.
    Public,
    /// Requests without a token are admitted, and requests with an invalid token are not.
    OptionalToken,
    /// Browsers with the cookie of a session. The api does not look at tokens.
    Browsers,
    Players,
    Editors,
    Merchants,
    Admins,
    GameServers,
    Banks,
}

/// The response to an admitted principal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    All,
    /// Only these principals see the marker of the fixtures in the response.
    ShowsMarker(&'static [Principal]),
    /// All but the owner are refused with 403 and this code.
    Forbidden(&'static str),
    /// All but these principals are refused with 404 and this code.
    NotFound(&'static str, &'static [Principal]),
}

/// An operation's id, its audience and its scope.
pub(super) type Row = (String, Audience, Scope);

/// The policy of the operations that send no command. The commands declare theirs.
const READS: [(&str, Audience, Scope); 52] = [
    ("auth_cookie_log_out", Browsers, All),
    ("account_me", Players, ShowsMarker(&[Owner])),
    ("account_coins", Players, ShowsMarker(&[Owner])),
    ("account_characters", Players, ShowsMarker(&[Owner])),
    ("account_sessions", Players, All),
    ("account_start_second_factor", Players, All),
    ("captcha_view", Public, All),
    ("character_view", Public, All),
    ("character_highscores", Public, All),
    ("character_online", Public, All),
    ("character_deaths", Public, All),
    ("guild_list", Public, All),
    ("guild_view", OptionalToken, ShowsMarker(&[Owner])),
    ("guild_players_without", Public, All),
    ("guild_invites", Players, Forbidden("not_leading")),
    ("guild_logo", Public, All),
    ("guild_card", Public, All),
    ("guild_share", Public, All),
    ("shop_category_list", OptionalToken, ShowsMarker(&[Merchant, Admin])),
    ("shop_category_find", OptionalToken, NotFound("category_not_found", &[Merchant, Admin])),
    ("shop_offer_list", OptionalToken, ShowsMarker(&[Merchant, Admin])),
    ("shop_on_sale", Public, ShowsMarker(&[])),
    ("shop_offer_find", OptionalToken, NotFound("offer_not_found", &[Merchant, Admin])),
    ("shop_purchases", Players, ShowsMarker(&[Owner])),
    ("news_list", Public, ShowsMarker(&[])),
    ("news_feed", Public, ShowsMarker(&[])),
    ("news_list_dashboard", Editors, ShowsMarker(&[Editor, Admin])),
    ("news_preview", Editors, All),
    ("news_find", OptionalToken, NotFound("post_not_found", &[Editor, Admin])),
    ("news_share", Public, NotFound("post_not_found", &[])),
    ("payment_packages", Public, All),
    ("payment_list", Players, ShowsMarker(&[Owner])),
    ("payment_find", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_png", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_svg", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_events", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("operation_find", OptionalToken, NotFound("operation_not_found", &[Owner])),
    ("game_snapshot", GameServers, All),
    ("admin_payments", Admins, All),
    ("admin_payment", Admins, All),
    ("admin_notifications", Admins, All),
    ("admin_deliveries", Admins, All),
    ("admin_game_servers", Admins, All),
    ("admin_accounts", Admins, All),
    ("admin_account", Admins, All),
    ("admin_mails", Admins, All),
    ("admin_audit", Admins, All),
    ("admin_health", Admins, All),
    ("admin_dead_letters", Admins, All),
    ("admin_service_tokens", Admins, All),
    ("admin_coin_rates", Admins, All),
    ("admin_coin_packages", Admins, All),
];

/// Browsers send it with the cookie of their session, which takes the place of a token.
const WITH_COOKIE: &str = "auth_cookie_refresh";

/// It sends the command of `account_end_session` about the session of the request, so there are no strangers.
const ABOUT_ITSELF: &str = "auth_log_out";

/// Other requests would end the session that it names.
const FIRST: &str = "account_end_session";

/// Operations after which other requests have no subject.
const LAST: [&str; 5] =
    ["guild_delete", "shop_category_destroy", "shop_offer_destroy", "news_destroy", "auth_log_out"];

/// The policy of all operations, in the order in which they are requested.
pub(super) fn policy() -> Vec<Row> {
    let sent = guildhall_api::sent_commands();
    let reads = READS.into_iter().map(|(id, audience, scope)| (id.to_owned(), audience, scope));
    let mut rows: Vec<Row> = reads.collect();
    for (id, name) in sent {
        let declared = contract::commands().find(|command| command.name == name).unwrap();
        let audience = if id == WITH_COOKIE { Browsers } else { declared.sender.into() };
        let stranger = declared.stranger().filter(|_| id != ABOUT_ITSELF);
        let scope = stranger.map_or(All, |refused| match refused.kind {
            RefusalKind::NotFound => NotFound(refused.code.leak(), &[Owner]),
            _ => Forbidden(refused.code.leak()),
        });
        rows.push((id, audience, scope));
    }
    rows.sort_by_key(|(id, ..)| id != FIRST);
    rows.sort_by_key(|(id, ..)| LAST.iter().position(|last| id == last));
    rows
}

impl From<Sender> for Audience {
    fn from(sender: Sender) -> Self {
        match sender {
            Sender::Visitor => Public,
            Sender::Player => Players,
            Sender::Editor => Editors,
            Sender::Merchant => Merchants,
            Sender::Admin => Admins,
            Sender::GameServer => GameServers,
            Sender::PaymentProvider => Banks,
        }
    }
}

impl Audience {
    /// The `security` of the operation in the OpenAPI document.
    pub(super) fn security(self) -> Value {
        match self {
            Public => json!([]),
            OptionalToken => json!([{ "bearerAuth": [] }, {}]),
            Browsers => json!([{ "sessionCookie": [] }]),
            Players | Editors | Merchants | Admins => json!([{ "bearerAuth": [] }]),
            GameServers => json!([{ "serviceToken": [] }]),
            Banks => json!([{ "webhookSecret": [] }, { "webhookSignature": [] }]),
        }
    }

    /// Whether the principal has the role. Administrators have every role except that of a game server.
    pub(super) fn admits(self, principal: Principal) -> bool {
        match self {
            Public | OptionalToken | Browsers => true,
            Players => principal >= OtherPlayer,
            Editors => [Editor, Admin].contains(&principal),
            Merchants => [Merchant, Admin].contains(&principal),
            Admins => principal == Admin,
            GameServers => principal == GameServer,
            Banks => principal == Bank,
        }
    }
}
