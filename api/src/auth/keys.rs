//! The one secret, and what is derived from it.

use std::str::FromStr;

use anyhow::{Context, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use ed25519_dalek::SigningKey;
use guildhall_common::contract::command::{Actor, OperationId};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::Sha256;
use uuid::{Builder, Uuid, Variant, Version};

const HOW: &str = "set GUILDHALL_SECRET to at least 32 random bytes in base64: openssl rand -base64 32";

/// Where the bytes of an operation's id that prove its owner begin.
const PROOF: usize = 12;

/// At least 32 random bytes. Each use derives a key of its own by HMAC-SHA256 over
/// its purpose, so that none tells anything of another.
#[derive(Clone)]
pub(crate) struct Secret(Vec<u8>);

impl FromStr for Secret {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let bytes = STANDARD.decode(text.trim()).with_context(|| format!("it is not base64; {HOW}"))?;
        ensure!(bytes.len() >= 32, "it has {} bytes only; {HOW}", bytes.len());
        let mut distinct = bytes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // 32 random bytes have fewer than 16 distinct values once in 10^11 secrets.
        if distinct.len() < 16 {
            bail!("it is not random; {HOW}");
        }
        Ok(Self(bytes))
    }
}

impl Secret {
    fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// The keys that sign and check access tokens.
    pub(crate) fn token_keys(&self) -> (EncodingKey, DecodingKey) {
        /// PKCS #8 of an Ed25519 key up to the seed, RFC 8410 §7.
        const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
        let seed = self.derive("access tokens", &[]);
        let public = SigningKey::from_bytes(&seed).verifying_key();
        let pkcs8 = [PKCS8.as_slice(), &seed].concat();
        (EncodingKey::from_ed_der(&pkcs8), DecodingKey::from_ed_der(public.as_bytes()))
    }

    /// Tells two requests apart without telling what is in them.
    pub(crate) fn fingerprint(&self, method: &str, path: &str, body: &[u8]) -> String {
        hex(&self.derive("fingerprint", &[method.as_bytes(), path.as_bytes(), body]))
    }

    /// A new operation's id: a UUIDv7 whose last 4 bytes prove who asked, so that
    /// "pending" is told to its owner alone and of real operations alone.
    pub(crate) fn new_operation(&self, actor: Actor) -> OperationId {
        self.prove(Uuid::now_v7().into_bytes(), actor)
    }

    /// The id of the operation that this actor calls by this key: always the same.
    pub(crate) fn keyed_operation(&self, actor: Actor, key: &str) -> OperationId {
        let derived = self.derive("idempotency key", &[name(actor).as_bytes(), key.as_bytes()]);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&derived[..16]);
        let id = Builder::from_bytes(bytes)
            .with_variant(Variant::RFC4122)
            .with_version(Version::Custom)
            .into_uuid();
        self.prove(id.into_bytes(), actor)
    }

    /// Whether the id was made here, for this actor.
    pub(crate) fn made_for(&self, operation: OperationId, actor: Actor) -> bool {
        self.prove(operation.0.into_bytes(), actor) == operation
    }

    fn prove(&self, mut id: [u8; 16], actor: Actor) -> OperationId {
        let proof = self.derive("operation owner", &[name(actor).as_bytes(), &id[..PROOF]]);
        id[PROOF..].copy_from_slice(&proof[..16 - PROOF]);
        OperationId(Uuid::from_bytes(id))
    }
}

fn name(actor: Actor) -> String {
    match actor {
        Actor::Nobody => "nobody".to_owned(),
        Actor::Account(id) => format!("account {id}"),
        Actor::Service(id) => format!("service {id}"),
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        "q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==".parse().unwrap()
    }

    #[test]
    fn a_weak_secret_is_refused() {
        assert!("".parse::<Secret>().is_err());
        assert!("not base64!".parse::<Secret>().is_err());
        assert!(STANDARD.encode([7; 64]).parse::<Secret>().is_err());
        assert!(STANDARD.encode(b"0123456789abcdef").parse::<Secret>().is_err());
    }

    fn account(id: i64) -> Actor {
        Actor::Account(id.try_into().unwrap())
    }

    #[test]
    fn an_id_proves_its_owner() {
        for id in [secret().new_operation(account(1)), secret().keyed_operation(account(1), "key")] {
            assert!(secret().made_for(id, account(1)));
            assert!(!secret().made_for(id, account(2)));
            assert!(!secret().made_for(id, Actor::Service(1.try_into().unwrap())));
        }
        assert!(!secret().made_for(OperationId(Uuid::now_v7()), account(1)));
    }

    #[test]
    fn a_key_means_one_operation_of_one_actor() {
        let id = |id, key| secret().keyed_operation(account(id), key);
        assert_eq!(id(1, "a"), id(1, "a"));
        assert_ne!(id(1, "a"), id(1, "b"));
        assert_ne!(id(1, "a"), id(2, "a"));
    }
}
