//! E-mail addresses of accounts: verification and changes.
//!
//! The secrets of mails never enter a queue. The api hashes what a client presents.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::values::Email;
use crate::contract::actor::AccountId;

/// Sends the mail that verifies the account's address again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendVerification {}

/// Verifies an address by the token of a mail's link. If the account has asked for another address, this one replaces the old one.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmail {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// Verifies an address by the code of a mail. The output is none if the code is wrong. A refusal would roll back the counter of
/// wrong codes.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifyEmailCode {
    /// SHA-256 of the account's id and the code, in hex.
    pub code_hash: String,
}

/// Asks for another address. The account keeps its address until the new one is verified.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeEmail {
    pub email: Email,
    /// SHA-256 of the stored hash of the password that the api has verified, in hex.
    pub proven_hash: String,
}

/// Restores the address before a change, by the token that the old address received.
#[derive(Debug, Serialize, Deserialize)]
pub struct UndoEmailChange {
    /// SHA-256 of the token, in hex.
    pub token_hash: String,
}

/// A mail with a link and a code is on its way.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct VerificationSent {
    pub email: String,
}

/// The account has this verified address.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailVerified {
    pub account_id: AccountId,
    pub email: String,
}

/// The new address received a mail. The account has the address when it is verified.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailChangeRequested {
    pub new_email: String,
}

/// The account has its former address again. All its sessions are ended, and its password must be reset.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct EmailChangeUndone {
    pub account_id: AccountId,
    pub email: String,
}

crate::examples! {
    VerificationSent { "email": "mira@example.org" }
    EmailVerified { "account_id": 3, "email": "mira@example.org" }
    EmailChangeRequested { "new_email": "new@example.org" }
    EmailChangeUndone { "account_id": 3, "email": "mira@example.org" }
}
