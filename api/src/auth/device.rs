//! The clients that logged in to an account before.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use guildhall_common::text_types;
use sha2::{Digest, Sha256};

use crate::auth::keys::Secrets;

text_types! {
    /// A token by which the account knows the client at its next log-in. The client keeps it.
    DeviceToken { 43 ..= 43, "^[A-Za-z0-9_-]+$", "q0cJm7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
}

/// The stored form of a client: a hash that cannot be read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DeviceHash([u8; 32]);

impl DeviceHash {
    /// The hash of a device token. The token is random, so it needs no key.
    pub(crate) fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The hashes of a network, one per secret of the site. They need a key, because there are few networks.
    pub(crate) fn of_network(secrets: &Secrets, network: IpAddr) -> Vec<Self> {
        secrets.hash_network(network).into_iter().map(Self).collect()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn hex(&self) -> String {
        hex::encode(self.0)
    }
}

/// A new device token of 256 random bits.
pub(crate) fn new_device_token() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}
