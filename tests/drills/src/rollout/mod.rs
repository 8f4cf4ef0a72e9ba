//! Rollouts under load: the parts of a site with two apis and two workers are restarted one after the other, with another
//! secret or another version. Clients repeat requests with their idempotency keys, renew their tokens and poll operations.

mod apis;
mod cell;
mod check;
mod load;
mod promise;
mod record;
mod recorded_client;
mod rotate;
mod settings;
mod site;
mod upgrade;

pub use rotate::run as rotate;
pub use settings::RolloutSettings;
pub use upgrade::run as upgrade;
