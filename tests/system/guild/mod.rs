//! Guilds: creation, invites, members and ranks, texts, logos, cards, lists.

mod cards;
mod creation;
mod invites;
mod lists;
mod logo_objects;
mod logos;
mod members;
mod missing;
mod orders;
mod texts;
