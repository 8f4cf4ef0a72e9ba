//! Game servers: the characters and deaths that they report, and the deliveries that they fetch.

mod acknowledge_deliveries;
mod characters;
mod deaths;
mod delete_characters;
mod deliveries;
mod discard_delivery;
mod follow_changes;
mod import_accounts;
mod import_guilds;
mod lease_deliveries;
mod refusal;
mod refuse_deliveries;
mod renew_presence;
mod report_deaths;
mod resend_deliveries;
mod resend_delivery;
mod upsert_characters;
mod use_link_code;

use crate::domain;

pub use self::{characters::*, deaths::*, deliveries::*, refusal::GameRefusal};

domain! {
    /// The commands about game servers.
    GameCommand("game", not partitioned) {
        upsert_characters::UpsertCharacters,
        delete_characters::DeleteGameCharacters,
        use_link_code::UseLinkCode,
        report_deaths::ReportDeaths,
        renew_presence::RenewPresence,
        follow_changes::FollowChanges,
        import_accounts::ImportAccounts,
        import_guilds::ImportGuilds,
        lease_deliveries::LeaseDeliveries,
        acknowledge_deliveries::AcknowledgeDeliveries,
        refuse_deliveries::RefuseDeliveries,
        resend_delivery::ResendDelivery,
        resend_deliveries::ResendDeliveries,
        discard_delivery::DiscardDelivery,
    }
}
