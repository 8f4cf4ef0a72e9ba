//! The game server: characters and deliveries.

mod character_names;
mod characters;
mod deliveries;
mod delivery_failures;
mod presence;
