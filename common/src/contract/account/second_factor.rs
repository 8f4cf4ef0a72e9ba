//! The second factor of accounts: codes of an authenticator app, recovery codes, and trusted devices.
//!
//! No secret and no code is in a command. The api verifies codes and encrypts the secret of the app.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::values::SessionId;
use crate::contract::actor::AccountId;

/// What the api has verified besides the password.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondFactorProof {
    /// A code of the authenticator app.
    Step(AcceptedStep),
    /// SHA-256 of the account's id and a recovery code, in hex.
    RecoveryHash(String),
    /// The hash of the token of a trusted device, in hex.
    TrustedDevice(String),
}

/// A code of the authenticator app was right.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AcceptedStep {
    /// The time step of the code. Each step is accepted once.
    pub step: i64,
    /// SHA-256 of the encrypted secret that the code was verified with, in hex.
    pub sealed_hash: String,
    /// The secret, encrypted with the first secret of the site, in hex. Missing if it is already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resealed_secret: Option<String>,
}

/// Turns the second factor on, and ends the other sessions. The api has verified the password and the first code.
#[derive(Debug, Serialize, Deserialize)]
pub struct EnableSecondFactor {
    /// SHA-256 of the stored hash of the password that the api has verified, in hex.
    pub proven_hash: String,
    /// The encrypted secret of the authenticator app, in hex.
    pub sealed_secret: String,
    /// The time step of the first code.
    pub step: i64,
    /// SHA-256 of the account's id and each recovery code, in hex.
    pub recovery_hashes: Vec<String>,
    /// The session that sends the command. An older api does not name it; then all sessions end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_session: Option<SessionId>,
}

/// Turns the second factor off.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisableSecondFactor {
    /// As for [`EnableSecondFactor`].
    pub proven_hash: String,
    pub proof: SecondFactorProof,
}

/// Replaces all recovery codes.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplaceRecoveryCodes {
    /// As for [`EnableSecondFactor`].
    pub proven_hash: String,
    pub proof: SecondFactorProof,
    /// As for [`EnableSecondFactor`].
    pub recovery_hashes: Vec<String>,
}

/// The account has a second factor.
#[derive(Debug, Serialize, Deserialize)]
pub struct SecondFactorEnabled {
    pub account_id: AccountId,
}

/// The account has no second factor. Its recovery codes are invalid, and no device is trusted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct SecondFactorDisabled {
    pub account_id: AccountId,
}

/// The account has new recovery codes. The old ones are invalid.
#[derive(Debug, Serialize, Deserialize)]
pub struct RecoveryCodesReplaced {
    pub account_id: AccountId,
}

crate::examples! {
    SecondFactorDisabled { "account_id": 3 }
}
