//! The roles of accounts.

use clap::ValueEnum;
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// What an account may do beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Role {
    /// The role of every account.
    Player,
    /// Writes news.
    Editor,
    /// Manages the shop.
    Merchant,
    /// May do everything.
    Admin,
    /// The role of a game server.
    Game,
}

/// A role that an administrator can give to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum, ValueEnum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum StaffRole {
    /// Writes news.
    Editor,
    /// Manages the shop.
    Merchant,
    /// May do everything.
    Admin,
}
