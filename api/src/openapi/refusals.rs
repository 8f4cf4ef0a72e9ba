//! The refusals of each operation: those that its command declares, and those that the api decides itself.

use guildhall_common::contract::{
    self,
    account::AccountRefusal,
    command::{Refusal, Refused},
    guild::GuildRefusal::{GuildNotFound, LogoNotFound, NotLeading},
    news::NewsRefusal::PostNotFound,
    payment::PaymentRefusal::PaymentNotFound,
    shop::ShopRefusal::{CategoryNotFound, OfferNotFound},
};

use crate::http::api_refusal::ApiRefusal::{
    CaptchaFailed, CaptchaRequired, ChangeNotFound, CrossOrigin, InvalidEnrolment, OperationNotFound,
    PaymentNotPayable, SiteUrlMissing, WrongAppCode, WrongMailCode, WrongPassword, WrongPasswordOrCode,
};

/// The refusals of an operation that sends this command.
pub(super) fn of_operation(operation_id: &str, command: Option<&str>) -> Vec<Refused> {
    let declared = contract::commands().find(|declared| command == Some(declared.name));
    let declared = declared.map(|declared| declared.refusals()).unwrap_or_default();
    [of_api(operation_id), declared].concat()
}

/// The refusals that the api decides without a command.
fn of_api(operation_id: &str) -> Vec<Refused> {
    match operation_id {
        "account_register" | "account_forgot_password" | "auth_log_in" => {
            all(&[CaptchaRequired, CaptchaFailed])
        }
        "auth_cookie_log_in" => all(&[CrossOrigin, CaptchaRequired, CaptchaFailed]),
        "auth_cookie_second_factor" | "auth_cookie_refresh" | "auth_cookie_log_out" => all(&[CrossOrigin]),
        "account_change_email" | "account_change_password" | "account_request_export" | "account_delete" => {
            all(&[WrongPassword])
        }
        "account_start_second_factor" => {
            [all(&[WrongPassword]), all(&[AccountRefusal::SecondFactorEnabled])].concat()
        }
        "account_enable_second_factor" => all(&[InvalidEnrolment, WrongAppCode]),
        "account_disable_second_factor" | "account_replace_recovery_codes" => all(&[WrongPasswordOrCode]),
        "account_verify_email_code" => all(&[WrongMailCode]),
        "admin_account" => all(&[AccountRefusal::AccountNotFound]),
        "character_view" => all(&[AccountRefusal::CharacterNotFound]),
        "game_changes" => all(&[ChangeNotFound]),
        "guild_view" => all(&[GuildNotFound]),
        "guild_logo" => all(&[LogoNotFound]),
        "guild_share" => [all(&[SiteUrlMissing]), all(&[GuildNotFound])].concat(),
        "guild_card" => all(&[GuildNotFound, LogoNotFound]),
        "guild_invites" => all(&[GuildNotFound, NotLeading]),
        "shop_category_find" => all(&[CategoryNotFound]),
        "shop_offer_find" => all(&[OfferNotFound]),
        "news_feed" => all(&[SiteUrlMissing]),
        "news_share" => [all(&[SiteUrlMissing]), all(&[PostNotFound])].concat(),
        "news_find" => all(&[PostNotFound]),
        "payment_find" | "payment_events" | "admin_payment" => all(&[PaymentNotFound]),
        "payment_qrcode_png" | "payment_qrcode_svg" => {
            [all(&[PaymentNotPayable]), all(&[PaymentNotFound])].concat()
        }
        "operation_find" => all(&[OperationNotFound]),
        _ => vec![],
    }
}

fn all(refusals: &[impl Refusal]) -> Vec<Refused> {
    refusals.iter().map(Refusal::refused).collect()
}
