//! Game servers and their deliveries: the match on the command.

mod acknowledge_deliveries;
mod changes;
mod discard_delivery;
mod game_server;
mod import;
mod lease_deliveries;
mod open_deliveries;
mod presence;
mod refuse_deliveries;
mod resend;
mod resend_deliveries;
mod resend_delivery;
mod timeline;

pub(crate) use self::{
    changes::{ChangeNumbers, PurgeChanges},
    import::{require_allowed as require_import, similar_names},
    open_deliveries::{has_open, has_undelivered, park_open, publish_due},
    presence::{EndPresence, renew as renew_presence},
};
