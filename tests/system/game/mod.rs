//! The game server: characters and deliveries.

mod characters;
mod deliveries;
mod delivery_failures;
