use std::fmt::Debug;

use guildhall_common::contract::{
    account::AccountCommand,
    command::{CompletedOperation, Domain, Envelope},
    game::GameCommand,
    guild::GuildCommand,
    mail::MailCommand,
    news::NewsCommand,
    payment::PaymentCommand,
    shop::ShopCommand,
    site::SiteCommand,
};

use crate::round_trip::check_json_round_trip;

/// A message of a queue: the envelope of a command of any domain, or a list of completed operations.
pub fn queued_command(data: &[u8]) {
    check_envelope::<AccountCommand>(data);
    check_envelope::<GameCommand>(data);
    check_envelope::<GuildCommand>(data);
    check_envelope::<MailCommand>(data);
    check_envelope::<NewsCommand>(data);
    check_envelope::<PaymentCommand>(data);
    check_envelope::<ShopCommand>(data);
    check_envelope::<SiteCommand>(data);
    if let Ok(operations) = serde_json::from_slice::<Vec<CompletedOperation>>(data) {
        check_json_round_trip(&operations);
    }
}

fn check_envelope<D: Domain + Debug>(data: &[u8]) {
    let Ok(envelope) = Envelope::<D>::decode(data) else { return };
    assert!(D::COMMANDS.contains(&envelope.command.name()));
    check_json_round_trip(&envelope);
}
