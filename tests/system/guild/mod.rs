//! Guilds: creation, invites, members and ranks, texts, lists.

mod creation;
mod invites;
mod lists;
mod members;
mod orders;
mod texts;
