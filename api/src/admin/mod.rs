//! The endpoints for administrators, one file or folder for each subject.

mod account_search;
mod accounts;
mod audit;
mod coin_adjustments;
mod dead_letters;
mod deliveries;
mod game_servers;
mod health;
mod mails;
mod notifications;
mod payments;
mod price_list;
mod service_tokens;

use crate::{
    admin::{
        accounts::AccountAdministration, audit::AuditLog, coin_adjustments::CoinAdjustments,
        dead_letters::DeadLetters, deliveries::DeliveryAdministration, game_servers::GameServers,
        health::Health, mails::MailAdministration, notifications::Notifications,
        payments::PaymentAdministration, price_list::PriceList, service_tokens::ServiceTokens,
    },
    openapi::Documented,
    state::State,
};

pub(crate) type AdminApis = (
    Documented<PaymentAdministration>,
    Documented<DeliveryAdministration>,
    Documented<GameServers>,
    Documented<CoinAdjustments>,
    Documented<MailAdministration>,
    Documented<AccountAdministration>,
    Documented<AuditLog>,
    Documented<DeadLetters>,
    Documented<ServiceTokens>,
    Documented<PriceList>,
    Documented<Notifications>,
    Documented<Health>,
);

pub(crate) fn apis(state: &State) -> AdminApis {
    (
        Documented(PaymentAdministration { state: state.clone() }),
        Documented(DeliveryAdministration { state: state.clone() }),
        Documented(GameServers { state: state.clone() }),
        Documented(CoinAdjustments { state: state.clone() }),
        Documented(MailAdministration { state: state.clone() }),
        Documented(AccountAdministration { state: state.clone() }),
        Documented(AuditLog { state: state.clone() }),
        Documented(DeadLetters { state: state.clone() }),
        Documented(ServiceTokens { state: state.clone() }),
        Documented(PriceList { state: state.clone() }),
        Documented(Notifications { state: state.clone() }),
        Documented(Health { state: state.clone() }),
    )
}
