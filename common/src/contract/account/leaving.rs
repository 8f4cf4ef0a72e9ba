//! The export of an account's data, and the deletion of an account.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::contract::actor::AccountId;

/// Collects the data of the account, and sends a link to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RequestExport {
    /// SHA-256 of the stored hash of the password, in hex. The api has verified it.
    pub proven_hash: String,
}

/// Uses the token of the mail that the export of an account's data is ready.
#[derive(Debug, Serialize, Deserialize)]
pub struct OpenExport {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// Deletes the account after a grace period.
#[derive(Debug, Serialize, Deserialize)]
pub struct ScheduleDeletion {
    /// As for [`RequestExport`].
    pub proven_hash: String,
}

/// Keeps an account that was to be deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelDeletion {}

/// Keeps an account that was to be deleted, by the token of the mail about it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelDeletionByLink {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// The data is being collected. A mail with a link follows.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct ExportRequested {
    pub account_id: AccountId,
}

/// The token of an export was used. The api reads the document from the database.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExportOpened {
    pub account_id: AccountId,
}

/// The account will be deleted. Until then its owner can cancel it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeletionScheduled {
    pub account_id: AccountId,
    pub due_at: DateTime<Utc>,
}

/// The account stays.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct DeletionCancelled {
    pub account_id: AccountId,
}

crate::examples! {
    ExportRequested { "account_id": 3 }
    DeletionScheduled { "account_id": 3, "due_at": "2030-02-01T12:00:00Z" }
    DeletionCancelled { "account_id": 3 }
}
