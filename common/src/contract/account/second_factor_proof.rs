//! The proof of a second factor: codes of an authenticator app, recovery codes, and trusted devices.
//!
//! No secret and no code is in a command. The api verifies codes and encrypts the secret of the app.

use serde::{Deserialize, Serialize};

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
