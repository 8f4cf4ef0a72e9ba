//! The game server: characters, deaths and deliveries.

mod changes;
mod character_names;
mod characters;
mod deaths;
pub(crate) mod deliveries;
mod delivery_failures;
mod discarded_deliveries;
mod identities;
mod import;
mod link_codes;
mod presence;
mod suspended_buyers;
mod temporary_refusals;
