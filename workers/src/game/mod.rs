//! Game servers and their deliveries: the match on the command.

mod acknowledge_deliveries;
mod discard_delivery;
mod game_server;
mod lease_deliveries;
mod open_deliveries;
mod presence;
mod refuse_deliveries;
mod resend;
mod resend_deliveries;
mod resend_delivery;
mod timeline;

use guildhall_common::contract::{command::Failure, game::GameCommand};

pub(crate) use self::{
    open_deliveries::{has_open, has_undelivered, park_open, publish_due},
    presence::{end as end_presence, renew as renew_presence},
};
use crate::engine::{
    rule::{Context, Progress},
    rules::Rules,
};

impl Rules for GameCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Progress, Failure> {
        match self {
            Self::UpsertCharacters(command) => cx.run(command).await,
            Self::DeleteGameCharacters(command) => cx.run(command).await,
            Self::UseLinkCode(command) => cx.run(command).await,
            Self::ReportDeaths(command) => cx.run(command).await,
            Self::RenewPresence(command) => cx.run(command).await,
            Self::LeaseDeliveries(command) => cx.run(command).await,
            Self::AcknowledgeDeliveries(command) => cx.run(command).await,
            Self::RefuseDeliveries(command) => cx.run(command).await,
            Self::ResendDelivery(command) => cx.run(command).await,
            Self::ResendDeliveries(command) => cx.run(command).await,
            Self::DiscardDelivery(command) => cx.run(command).await,
        }
    }
}
