//! The access policy of every operation, and what follows from it for each principal.

use serde_json::{Value, json};

use self::{
    Audience::{Admins, Banks, Browsers, Editors, GameServers, Merchants, OptionalToken, Players, Public},
    Scope::{All, Forbidden, NotFound, ShowsMarker},
};
use super::principal::ALL_PRINCIPALS;
use super::principal::Principal::{
    self, Admin, Bank, Editor, GameServer, InvalidToken, Merchant, OtherPlayer, Owner,
};

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
pub(super) type Row = (&'static str, Audience, Scope);

/// The order matters: later requests need the effects of earlier ones, and deletions come last.
pub(super) const POLICY: [Row; 145] = [
    ("account_register", Public, All),
    ("auth_log_in", Public, All),
    ("auth_refresh", Public, All),
    ("auth_cookie_log_in", Public, All),
    ("auth_cookie_second_factor", Public, All),
    ("auth_cookie_refresh", Browsers, All),
    ("auth_cookie_log_out", Browsers, All),
    ("account_me", Players, ShowsMarker(&[Owner])),
    ("account_characters", Players, ShowsMarker(&[Owner])),
    ("account_create_character", Players, All),
    ("account_create_link_code", Players, All),
    ("account_rename_character", Players, Forbidden("not_your_character")),
    ("account_delete_character", Players, Forbidden("not_your_character")),
    ("account_cancel_character_deletion", Players, Forbidden("not_your_character")),
    ("account_change_language", Players, All),
    ("account_resend_verification", Players, All),
    ("account_verify_email", Public, All),
    ("account_verify_email_code", Players, All),
    ("account_change_email", Players, All),
    ("account_undo_email_change", Public, All),
    ("account_forgot_password", Public, All),
    ("account_reset_password", Public, All),
    ("account_end_session", Players, NotFound("session_not_found", &[Owner])),
    ("account_change_password", Players, All),
    ("account_sessions", Players, All),
    ("account_request_export", Players, All),
    ("account_open_export", Public, All),
    ("account_delete", Players, All),
    ("account_cancel_deletion", Players, All),
    ("account_cancel_deletion_by_link", Public, All),
    ("account_end_other_sessions", Players, All),
    ("account_start_second_factor", Players, All),
    ("account_enable_second_factor", Players, All),
    ("account_disable_second_factor", Players, All),
    ("account_replace_recovery_codes", Players, All),
    ("auth_second_factor", Public, All),
    ("captcha_view", Public, All),
    ("character_view", Public, All),
    ("character_highscores", Public, All),
    ("character_online", Public, All),
    ("character_deaths", Public, All),
    ("guild_list", Public, All),
    ("guild_view", OptionalToken, ShowsMarker(&[Owner])),
    ("guild_players_without", Public, All),
    ("guild_create", Players, Forbidden("not_your_character")),
    ("guild_invite", Players, Forbidden("not_leading")),
    ("guild_invites", Players, Forbidden("not_leading")),
    ("guild_accept_invite", Players, Forbidden("not_your_character")),
    ("guild_decline_invite", Players, Forbidden("not_your_character")),
    ("guild_cancel_invite", Players, Forbidden("not_leading")),
    ("guild_leave", Players, Forbidden("not_your_character")),
    ("guild_kick", Players, Forbidden("not_leading")),
    ("guild_change_motd", Players, Forbidden("not_leading")),
    ("guild_change_description", Players, Forbidden("not_leading")),
    ("guild_change_logo", Players, Forbidden("not_leading")),
    ("guild_logo", Public, All),
    ("guild_card", Public, All),
    ("guild_share", Public, All),
    ("guild_remove_logo", Players, Forbidden("not_leading")),
    ("guild_moderate_logo", Editors, All),
    ("guild_pass_leadership", Players, Forbidden("not_leader")),
    ("guild_change_rank", Players, Forbidden("not_leader")),
    ("guild_delete", Players, Forbidden("not_leader")),
    ("shop_category_list", OptionalToken, ShowsMarker(&[Merchant, Admin])),
    ("shop_category_create", Merchants, All),
    ("shop_category_find", OptionalToken, NotFound("category_not_found", &[Merchant, Admin])),
    ("shop_category_update", Merchants, All),
    ("shop_category_reorder", Merchants, All),
    ("shop_offer_reorder", Merchants, All),
    ("shop_category_destroy", Merchants, All),
    ("shop_offer_list", OptionalToken, ShowsMarker(&[Merchant, Admin])),
    ("shop_on_sale", Public, ShowsMarker(&[])),
    ("shop_offer_create", Merchants, All),
    ("shop_offer_find", OptionalToken, NotFound("offer_not_found", &[Merchant, Admin])),
    ("shop_offer_update", Merchants, All),
    ("shop_offer_change_stock", Merchants, All),
    ("shop_purchase", Players, All),
    ("shop_purchases", Players, ShowsMarker(&[Owner])),
    ("shop_offer_destroy", Merchants, All),
    ("news_list", Public, ShowsMarker(&[])),
    ("news_feed", Public, ShowsMarker(&[])),
    ("news_list_dashboard", Editors, ShowsMarker(&[Editor, Admin])),
    ("news_create", Editors, All),
    ("news_preview", Editors, All),
    ("news_find", OptionalToken, NotFound("post_not_found", &[Editor, Admin])),
    ("news_share", Public, NotFound("post_not_found", &[])),
    ("news_edit", Editors, All),
    ("news_destroy", Editors, All),
    ("payment_packages", Public, All),
    ("payment_create", Players, All),
    ("payment_find", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_png", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_qrcode_svg", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_events", Players, NotFound("payment_not_found", &[Admin, Owner])),
    ("payment_cancel", Players, NotFound("payment_not_found", &[Owner])),
    ("payment_refund", Admins, All),
    ("payment_webhook", Banks, All),
    ("payment_webhook_pix", Banks, All),
    ("operation_find", OptionalToken, NotFound("operation_not_found", &[Owner])),
    ("game_upsert_characters", GameServers, All),
    ("game_delete_characters", GameServers, All),
    ("game_use_link_code", GameServers, All),
    ("game_report_deaths", GameServers, All),
    ("game_lease_deliveries", GameServers, All),
    ("game_acknowledge_deliveries", GameServers, All),
    ("game_refuse_deliveries", GameServers, All),
    ("admin_payments", Admins, All),
    ("admin_payment", Admins, All),
    ("admin_notifications", Admins, All),
    ("admin_discard_notification", Admins, All),
    ("admin_replay_notification", Admins, All),
    ("admin_deliveries", Admins, All),
    ("admin_resend_delivery", Admins, All),
    ("admin_resend_deliveries", Admins, All),
    ("admin_discard_delivery", Admins, All),
    ("admin_game_servers", Admins, All),
    ("admin_adjust_coins", Admins, All),
    ("admin_accounts", Admins, All),
    ("admin_account", Admins, All),
    ("admin_suspend_account", Admins, All),
    ("admin_lift_suspension", Admins, All),
    ("admin_expire_password", Admins, All),
    ("admin_verify_email", Admins, All),
    ("admin_reset_second_factor", Admins, All),
    ("admin_add_account_note", Admins, All),
    ("admin_grant_role", Admins, All),
    ("admin_revoke_role", Admins, All),
    ("admin_mails", Admins, All),
    ("admin_resend_mail", Admins, All),
    ("admin_discard_mail", Admins, All),
    ("admin_audit", Admins, All),
    ("admin_health", Admins, All),
    ("admin_dead_letters", Admins, All),
    ("admin_replay_dead_letter", Admins, All),
    ("admin_discard_dead_letter", Admins, All),
    ("admin_service_tokens", Admins, All),
    ("admin_create_service_token", Admins, All),
    ("admin_revoke_service_token", Admins, All),
    ("admin_coin_rates", Admins, All),
    ("admin_set_coin_rate", Admins, All),
    ("admin_coin_packages", Admins, All),
    ("admin_create_coin_package", Admins, All),
    ("admin_edit_coin_package", Admins, All),
    ("admin_retire_coin_package", Admins, All),
    // It ends the session that the other requests use.
    ("auth_log_out", Players, All),
];

/// Admitted requests that a rule refuses: there are no coins, or an earlier request had the same effect.
const REFUSED_BY_RULE: [(&str, &[Principal], u16, &str); 34] = [
    ("shop_category_update", &[Admin], 409, "category_changed"),
    ("shop_offer_update", &[Admin], 409, "offer_changed"),
    ("shop_purchase", &[OtherPlayer, Editor, Merchant, Admin], 409, "not_enough_coins"),
    ("shop_category_reorder", &[Merchant, Admin], 409, "categories_changed"),
    ("shop_offer_reorder", &[Merchant, Admin], 409, "offers_changed"),
    ("shop_category_destroy", &[Admin], 404, "category_not_found"),
    ("shop_offer_destroy", &[Admin], 404, "offer_not_found"),
    ("guild_moderate_logo", &[Admin], 404, "logo_not_found"),
    ("news_destroy", &[Admin], 404, "post_not_found"),
    ("account_resend_verification", &ALL_PRINCIPALS, 409, "mail_not_configured"),
    ("account_request_export", &ALL_PRINCIPALS, 409, "mail_not_configured"),
    ("game_use_link_code", &[GameServer], 404, "link_code_not_found"),
    ("account_open_export", &ALL_PRINCIPALS, 404, "token_not_found"),
    ("account_delete", &[Editor, Merchant, Admin], 403, "staff_stays"),
    ("account_cancel_deletion", &[Editor, Merchant, Admin], 409, "deletion_not_scheduled"),
    ("account_cancel_deletion_by_link", &ALL_PRINCIPALS, 404, "token_not_found"),
    ("admin_reset_second_factor", &[Admin], 409, "second_factor_not_enabled"),
    ("account_change_email", &ALL_PRINCIPALS, 409, "mail_not_configured"),
    ("account_verify_email", &ALL_PRINCIPALS, 404, "token_not_found"),
    ("account_verify_email_code", &ALL_PRINCIPALS, 403, "wrong_code"),
    ("account_undo_email_change", &ALL_PRINCIPALS, 404, "token_not_found"),
    ("account_reset_password", &ALL_PRINCIPALS, 404, "token_not_found"),
    ("admin_lift_suspension", &[Admin], 409, "not_suspended"),
    ("admin_expire_password", &[Admin], 409, "mail_not_configured"),
    ("account_enable_second_factor", &ALL_PRINCIPALS, 403, "invalid_enrolment"),
    ("account_disable_second_factor", &ALL_PRINCIPALS, 409, "second_factor_not_enabled"),
    ("account_replace_recovery_codes", &ALL_PRINCIPALS, 409, "second_factor_not_enabled"),
    ("auth_second_factor", &ALL_PRINCIPALS, 401, "invalid_challenge"),
    ("auth_cookie_second_factor", &ALL_PRINCIPALS, 401, "invalid_challenge"),
    ("admin_resend_mail", &[Admin], 404, "mail_not_found"),
    ("admin_discard_mail", &[Admin], 404, "mail_not_found"),
    ("admin_replay_dead_letter", &[Admin], 404, "dead_letter_not_found"),
    ("admin_discard_dead_letter", &[Admin], 404, "dead_letter_not_found"),
    ("admin_revoke_service_token", &[Admin], 404, "service_token_not_found"),
];

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
    fn admits(self, principal: Principal) -> bool {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expectation {
    /// Status 401.
    Unauthenticated,
    Problem(u16, &'static str),
    /// The principal is admitted, and a rule refuses the command.
    RefusedByRule(u16, &'static str),
    /// A success.
    Done,
    /// A success, with the marker in the response or without it.
    DoneWithMarker(bool),
}

/// The response that the policy demands.
pub(super) fn expectation((id, audience, scope): Row, principal: Principal) -> Expectation {
    let unauthenticated = match audience {
        Public | Browsers => false,
        OptionalToken => principal == InvalidToken,
        // Neither a role nor a session admits to the operations of banks.
        Banks => principal != Bank,
        _ => principal < GameServer,
    };
    let refused_by_rule = REFUSED_BY_RULE
        .into_iter()
        .find(|(operation, principals, ..)| *operation == id && principals.contains(&principal));
    match scope {
        _ if unauthenticated => Expectation::Unauthenticated,
        _ if !audience.admits(principal) => Expectation::Problem(403, "role_missing"),
        All => refused_by_rule
            .map_or(Expectation::Done, |(.., status, code)| Expectation::RefusedByRule(status, code)),
        ShowsMarker(principals) => Expectation::DoneWithMarker(principals.contains(&principal)),
        Forbidden(_) if principal == Owner => Expectation::Done,
        Forbidden(code) => Expectation::Problem(403, code),
        NotFound(_, found_by) if found_by.contains(&principal) => Expectation::Done,
        NotFound(code, _) => Expectation::Problem(404, code),
    }
}
