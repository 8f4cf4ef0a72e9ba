//! What administrators do with the site itself: dead letters, and the tokens of game servers.

mod allow_import;
mod create_service_token;
mod discard_dead_letter;
mod refusal;
mod replay_dead_letter;
mod revoke_service_token;
mod values;

use crate::domain;

pub use self::{
    refusal::SiteRefusal,
    values::{DeadLetterId, ServiceTokenName, command_name},
};

domain! {
    /// The commands about the site.
    SiteCommand("site", not partitioned) {
        replay_dead_letter::ReplayDeadLetter,
        discard_dead_letter::DiscardDeadLetter,
        create_service_token::CreateServiceToken,
        revoke_service_token::RevokeServiceToken,
        allow_import::AllowImport,
    }
}
