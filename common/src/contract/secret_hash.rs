//! The hashes of secrets. Commands and tables have these in place of the secrets, so both services must compute them in the same way.

use sha2::{Digest, Sha256};

use super::actor::AccountId;

/// SHA-256 in hex, for secrets that cannot be guessed: tokens, keys, and stored hashes of passwords.
#[must_use]
pub fn hash_secret(secret: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(secret))
}

/// SHA-256 of an account's id and one of its codes, in hex. Equal codes of two accounts have different hashes.
#[must_use]
pub fn hash_code(account_id: AccountId, code: &str) -> String {
    hash_secret(format!("{account_id}:{code}"))
}
