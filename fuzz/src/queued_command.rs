use std::fmt::Debug;

use guildhall_common::contract::{
    account::AccountCommand,
    command::{CompletedOperation, Domain, Envelope},
    game::GameCommand,
    guild::GuildCommand,
    news::NewsCommand,
    payment::PaymentCommand,
    shop::ShopCommand,
};
use serde::{Serialize, de::DeserializeOwned};

/// What comes from the queue: a command in its envelope, of any domain, or the outcomes of some.
pub fn queued_command(data: &[u8]) {
    decoded::<AccountCommand>(data);
    decoded::<GameCommand>(data);
    decoded::<GuildCommand>(data);
    decoded::<NewsCommand>(data);
    decoded::<PaymentCommand>(data);
    decoded::<ShopCommand>(data);
    if let Ok(settled) = serde_json::from_slice::<Vec<CompletedOperation>>(data) {
        comes_back(&settled);
    }
}

fn decoded<D: Domain + Debug>(data: &[u8]) {
    let Ok(envelope) = Envelope::<D>::decode(data) else { return };
    assert!(D::COMMANDS.contains(&envelope.command.name()));
    comes_back(&envelope);
}

/// What is written of a value is read as the same.
pub(crate) fn comes_back<T: Debug + Serialize + DeserializeOwned>(value: &T) {
    let written = serde_json::to_string(value).expect("what is read can be written");
    let again: T = serde_json::from_str(&written).expect("what is written can be read");
    assert_eq!(format!("{again:?}"), format!("{value:?}"));
    assert_eq!(serde_json::to_string(&again).expect("it can be written again"), written);
}
