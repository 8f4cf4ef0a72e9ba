//! The refusals that each operation can return. The rules of the workers decide them.

mod account;
mod entry;

use guildhall_common::contract::{
    game::GameRefusal::{self, DeliveryEnded, DeliveryNotFound},
    guild::GuildRefusal::{
        self, AlreadyInGuild, AlreadyInvited, AlreadyLeader, CharacterNotConfirmed, CharacterNotFound,
        CharacterOnline, GuildFull, GuildNotFound, InviteNotFound, LeaderCannotLeave, LeaderKeepsRank,
        LevelTooLow, LogoBlocked, LogoHasChanged, LogoNotFound, MemberNotFound, NotLeader, NotLeading,
        NotYourCharacter, RankTooLow,
    },
    mail::MailRefusal::{MailExpired, MailNotFound, MailNotParked},
    news::NewsRefusal::{PostChanged, PostNotFound},
    payment::PaymentRefusal::{
        self, AmountTooLarge, CancelledMeanwhile, CurrencyMismatch, NoPrice, NotCancellable, NothingToAdjust,
        NothingToRefund, NotificationNotFound, NotificationNotParked, NotificationSettled, PackageChanged,
        PackageNotFound, PaymentNotFound, ProviderRefused, ProviderUnavailable, RateChanged, RateMissing,
        RefundTooLarge, RefundUnsupported, SchemeUnavailable, TooManyCreated, TooManyOpen,
    },
    shop::ShopRefusal::{
        self, CategoriesChanged, CategoryChanged, CategoryNameTaken, CategoryNotEmpty, CategoryNotFound,
        CoinsOwed, EmailNotVerified, LimitReached, OfferChanged, OfferNameTaken, OfferNotFound,
        OffersChanged, OutOfStock, PriceChanged, StockOutOfRange, StockUnlimited,
    },
    site::SiteRefusal::{
        AlreadyRevoked, DeadLetterNotFound, DeadLetterTooOld, QueueRejected, ServiceTokenNameTaken,
        ServiceTokenNotFound,
    },
};

use self::entry::{Entry, all, and};
use crate::http::api_refusal::ApiRefusal::{OperationNotFound, PaymentNotPayable, SiteUrlMissing};

/// The operations that can be refused.
pub(super) fn table() -> Vec<Entry> {
    [
        account::account(),
        account::leaving(),
        account::characters(),
        account::second_factor(),
        account::cookie_sessions(),
        account::account_administration(),
        guild(),
        guild_membership(),
        shop(),
        news(),
        payment(),
        administration(),
        operation(),
    ]
    .concat()
}

fn guild() -> Vec<Entry> {
    let create = [
        CharacterNotFound,
        NotYourCharacter,
        GuildRefusal::CharacterBeingDeleted,
        GuildRefusal::NameTaken,
        LevelTooLow,
        AlreadyInGuild,
        CharacterNotConfirmed,
        CharacterOnline,
    ];
    let accept_invite = [
        GuildNotFound,
        CharacterNotFound,
        InviteNotFound,
        NotYourCharacter,
        GuildRefusal::CharacterBeingDeleted,
        AlreadyInGuild,
        GuildFull,
        CharacterNotConfirmed,
        CharacterOnline,
    ];
    vec![
        ("guild_view", all(&[GuildNotFound])),
        ("guild_create", all(&create)),
        ("guild_delete", all(&[GuildNotFound, NotLeader, CharacterOnline])),
        ("guild_change_motd", all(&[GuildNotFound, NotLeading])),
        ("guild_change_description", all(&[GuildNotFound, NotLeading])),
        ("guild_change_logo", all(&[GuildNotFound, NotLeading, LogoBlocked])),
        ("guild_remove_logo", all(&[GuildNotFound, NotLeading, LogoNotFound])),
        ("guild_moderate_logo", all(&[GuildNotFound, LogoHasChanged, LogoNotFound])),
        ("guild_logo", all(&[LogoNotFound])),
        ("guild_share", and(SiteUrlMissing, &[GuildNotFound])),
        ("guild_card", all(&[GuildNotFound, LogoNotFound])),
        ("guild_invites", all(&[GuildNotFound, NotLeading])),
        (
            "guild_invite",
            all(&[
                GuildNotFound,
                CharacterNotFound,
                NotLeading,
                GuildRefusal::CharacterBeingDeleted,
                AlreadyInGuild,
                AlreadyInvited,
            ]),
        ),
        ("guild_accept_invite", all(&accept_invite)),
        ("guild_decline_invite", all(&[GuildNotFound, CharacterNotFound, InviteNotFound, NotYourCharacter])),
        ("guild_cancel_invite", all(&[GuildNotFound, CharacterNotFound, InviteNotFound, NotLeading])),
    ]
}

fn guild_membership() -> Vec<Entry> {
    let of_a_member = |others: &[GuildRefusal]| {
        let common = [GuildNotFound, CharacterNotFound, MemberNotFound, CharacterOnline];
        all(&[common.as_slice(), others].concat())
    };
    vec![
        ("guild_leave", of_a_member(&[NotYourCharacter, LeaderCannotLeave])),
        ("guild_kick", of_a_member(&[NotLeading, RankTooLow])),
        (
            "guild_pass_leadership",
            of_a_member(&[NotLeader, AlreadyLeader, GuildRefusal::CharacterBeingDeleted]),
        ),
        ("guild_change_rank", of_a_member(&[NotLeader, LeaderKeepsRank])),
    ]
}

fn shop() -> Vec<Entry> {
    let purchase = [
        EmailNotVerified,
        ShopRefusal::CharacterNotFound,
        ShopRefusal::CharacterNotConfirmed,
        ShopRefusal::CharacterBeingDeleted,
        OfferNotFound,
        ShopRefusal::NotEnoughCoins,
        CoinsOwed,
        PriceChanged,
        OutOfStock,
        LimitReached,
    ];
    vec![
        ("shop_category_find", all(&[CategoryNotFound])),
        ("shop_category_create", all(&[CategoryNameTaken])),
        ("shop_category_update", all(&[CategoryNotFound, CategoryNameTaken, CategoryChanged])),
        ("shop_category_reorder", all(&[CategoriesChanged])),
        ("shop_category_destroy", all(&[CategoryNotFound, CategoryNotEmpty])),
        ("shop_offer_find", all(&[OfferNotFound])),
        ("shop_offer_create", all(&[CategoryNotFound, OfferNameTaken])),
        ("shop_offer_update", all(&[CategoryNotFound, OfferNotFound, OfferNameTaken, OfferChanged])),
        ("shop_offer_reorder", all(&[CategoryNotFound, OffersChanged])),
        (
            "shop_offer_change_stock",
            all(&[OfferNotFound, ShopRefusal::StockChanged, StockUnlimited, StockOutOfRange]),
        ),
        ("shop_offer_destroy", all(&[OfferNotFound])),
        ("shop_purchase", all(&purchase)),
    ]
}

fn news() -> Vec<Entry> {
    vec![
        ("news_feed", all(&[SiteUrlMissing])),
        ("news_share", and(SiteUrlMissing, &[PostNotFound])),
        ("news_find", all(&[PostNotFound])),
        ("news_edit", all(&[PostNotFound, PostChanged])),
        ("news_destroy", all(&[PostNotFound])),
    ]
}

fn payment() -> Vec<Entry> {
    let create = [
        PackageNotFound,
        SchemeUnavailable,
        CurrencyMismatch,
        NoPrice,
        AmountTooLarge,
        TooManyOpen,
        TooManyCreated,
        ProviderRefused,
        ProviderUnavailable,
        CancelledMeanwhile,
    ];
    let refund = [PaymentNotFound, CurrencyMismatch, NothingToRefund, RefundTooLarge, RefundUnsupported];
    let picture = and(PaymentNotPayable, &[PaymentNotFound]);
    vec![
        ("payment_create", all(&create)),
        ("payment_find", all(&[PaymentNotFound])),
        ("payment_events", all(&[PaymentNotFound])),
        ("payment_qrcode_png", picture.clone()),
        ("payment_qrcode_svg", picture),
        ("payment_cancel", all(&[PaymentNotFound, NotCancellable])),
        ("payment_refund", all(&refund)),
    ]
}

fn administration() -> Vec<Entry> {
    let adjust_coins = [PaymentRefusal::AccountNotFound, NothingToAdjust, PaymentRefusal::NotEnoughCoins];
    vec![
        ("admin_payment", all(&[PaymentNotFound])),
        ("admin_replay_notification", all(&[NotificationNotFound, NotificationSettled])),
        ("admin_discard_notification", all(&[NotificationNotFound, NotificationNotParked])),
        (
            "admin_resend_delivery",
            all(&[
                DeliveryNotFound,
                GameRefusal::CharacterNotFound,
                GameRefusal::CoinsReturned,
                GameRefusal::StockMissing,
            ]),
        ),
        ("game_use_link_code", all(&[GameRefusal::LinkCodeNotFound])),
        ("admin_resend_deliveries", all(&[GameRefusal::CharacterNotFound, GameRefusal::PeriodInTheFuture])),
        ("admin_discard_delivery", all(&[DeliveryNotFound, DeliveryEnded, GameRefusal::DeliveryLeased])),
        ("admin_adjust_coins", all(&adjust_coins)),
        ("admin_resend_mail", all(&[MailNotFound, MailNotParked, MailExpired])),
        ("admin_discard_mail", all(&[MailNotFound, MailNotParked])),
        ("admin_replay_dead_letter", all(&[DeadLetterNotFound, DeadLetterTooOld, QueueRejected])),
        ("admin_discard_dead_letter", all(&[DeadLetterNotFound])),
        ("admin_create_service_token", all(&[ServiceTokenNameTaken])),
        ("admin_revoke_service_token", all(&[ServiceTokenNotFound, AlreadyRevoked])),
        ("admin_set_coin_rate", all(&[RateChanged])),
        ("admin_create_coin_package", all(&[RateMissing])),
        ("admin_edit_coin_package", all(&[PackageNotFound, PackageChanged, RateMissing])),
        ("admin_retire_coin_package", all(&[PackageNotFound])),
    ]
}

fn operation() -> Vec<Entry> {
    vec![("operation_find", all(&[OperationNotFound]))]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use guildhall_common::contract::{
        account::AccountRefusal, command::Refused, game::GameRefusal, mail::MailRefusal, news::NewsRefusal,
        payment::PaymentRefusal, site::SiteRefusal,
    };
    use serde_json::Value;

    use super::*;
    use crate::http::problem::status;

    fn codes(refusals: &[Refused]) -> BTreeSet<&str> {
        refusals.iter().map(|refused| refused.code.as_str()).collect()
    }

    #[test]
    fn each_refusal_of_a_domain_is_listed_for_one_of_its_operations() {
        let domains: [(&[&str], Vec<Refused>); 8] = [
            (&["account_", "auth_", "admin_"], all(AccountRefusal::ALL)),
            (&["guild_"], all(GuildRefusal::ALL)),
            (&["shop_"], all(ShopRefusal::ALL)),
            (&["news_"], all(NewsRefusal::ALL)),
            (&["payment_", "admin_"], all(PaymentRefusal::ALL)),
            (&["game_", "admin_"], all(GameRefusal::ALL)),
            (&["admin_"], all(MailRefusal::ALL)),
            (&["admin_"], all(SiteRefusal::ALL)),
        ];
        for (prefixes, refusals) in domains {
            let table = table();
            let entries = table.iter().filter(|(id, _)| prefixes.iter().any(|prefix| id.starts_with(prefix)));
            let listed: Vec<Refused> = entries.flat_map(|(_, refusals)| refusals.clone()).collect();
            let missing: Vec<_> = codes(&refusals).difference(&codes(&listed)).copied().collect();
            assert!(missing.is_empty(), "{prefixes:?}: {missing:?}");
        }
    }

    #[test]
    fn document_has_each_refusal_at_its_operation() {
        let document: Value = serde_json::from_str(&crate::document()).unwrap();
        let paths = document["paths"].as_object().unwrap().values();
        let operations: Vec<&Value> = paths.flat_map(|path| path.as_object().unwrap().values()).collect();
        for (id, refusals) in table() {
            let operation = operations.iter().find(|operation| operation["operationId"] == id);
            let operation = operation.unwrap_or_else(|| panic!("no operation has the id {id}"));
            for refused in refusals {
                let response = &operation["responses"][status(refused.kind).as_str()];
                let example = &response["content"]["application/problem+json"]["examples"][&refused.code];
                assert_eq!(example["value"]["code"], refused.code, "{id}");
                assert!(response["description"].as_str().unwrap().contains(&refused.detail), "{id}");
            }
        }
    }

    #[test]
    fn each_operation_has_one_entry() {
        let ids: BTreeSet<&str> = table().into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), table().len());
    }
}
