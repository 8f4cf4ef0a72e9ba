//! What administrators do with accounts.

use chrono::{DateTime, Utc};
use clap::ValueEnum;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::{
    contract::{actor::AccountId, values::Reason},
    id_types, text_types,
};

id_types! {
    /// The id of a note about an account.
    AccountNoteId
}

text_types! {
    /// A note of the staff about an account. Its player reads it only in a copy of their data.
    NoteText { 1 ..= 2000, crate::contract::values::LINES, "Asked twice about a lost item." }
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

/// Suspends an account: it cannot log in, and its sessions end.
#[derive(Debug, Serialize, Deserialize)]
pub struct SuspendAccount {
    pub account_id: AccountId,
    /// None: for ever.
    pub until: Option<DateTime<Utc>>,
    /// The player reads it.
    pub reason: Reason,
}

/// Ends the suspension of an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct LiftSuspension {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// Ends the sessions of an account. It cannot log in until its password is reset by mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExpirePassword {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// Disables the second factor of an account whose owner has lost it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResetSecondFactor {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// Verifies the address of an account without a mail.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmailByHand {
    pub account_id: AccountId,
    pub reason: Reason,
}

/// Adds a note about an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddAccountNote {
    pub account_id: AccountId,
    pub text: NoteText,
}

/// Gives a role to an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct GrantRole {
    pub account_id: AccountId,
    pub role: StaffRole,
}

/// Takes a role from an account.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeRole {
    pub account_id: AccountId,
    pub role: StaffRole,
}

/// An account was suspended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountSuspended {
    pub account_id: AccountId,
    /// Missing: for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

/// The suspension of an account has ended.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SuspensionLifted {
    pub account_id: AccountId,
}

/// The password of an account must be reset. Its verified address has received a link.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PasswordExpired {
    pub account_id: AccountId,
    /// The number of ended sessions.
    pub ended_sessions: u32,
}

/// A note was added.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct AccountNoteAdded {
    pub note_id: AccountNoteId,
}

/// A role was given, or proposed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RoleGranted {
    pub account_id: AccountId,
    pub role: StaffRole,
    /// False: another administrator must send the same request within a day.
    pub effective: bool,
}

/// A role was taken.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct RoleRevoked {
    pub account_id: AccountId,
    pub role: StaffRole,
}

crate::examples! {
    AccountSuspended { "account_id": 3, "until": "2030-02-01T12:00:00Z", "ended_sessions": 2 }
    SuspensionLifted { "account_id": 3 }
    PasswordExpired { "account_id": 3, "ended_sessions": 2 }
    AccountNoteAdded { "note_id": 1 }
    RoleGranted { "account_id": 3, "role": "editor", "effective": true }
    RoleRevoked { "account_id": 3, "role": "editor" }
}
