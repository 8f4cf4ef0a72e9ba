//! The secret of the site, and the keys and ids that are derived from it.

use std::{net::IpAddr, str::FromStr};

use anyhow::{Context, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use ed25519_dalek::{
    SigningKey,
    pkcs8::{EncodePrivateKey, KeypairBytes},
};
use guildhall_common::contract::command::{Actor, OperationId};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::Sha256;
use uuid::{Builder, Uuid, Variant, Version};

/// The instruction for an invalid secret.
const INSTRUCTION: &str =
    "set GUILDHALL_SECRET to at least 32 random bytes in base64: openssl rand -base64 32";

/// The index in an operation id at which the proof of its owner starts.
const PROOF_START: usize = 12;

/// At least 32 random bytes. Each purpose has a key of its own, derived by HMAC-SHA256. So no key
/// reveals another key.
#[derive(Clone)]
pub(crate) struct Secret(Vec<u8>);

impl FromStr for Secret {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let bytes =
            STANDARD.decode(text.trim()).with_context(|| format!("it is not base64; {INSTRUCTION}"))?;
        ensure!(bytes.len() >= 32, "it has only {} bytes; {INSTRUCTION}", bytes.len());
        let mut distinct = bytes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // Of 10^11 random secrets, about one has fewer than 16 distinct bytes.
        if distinct.len() < 16 {
            bail!("it is not random; {INSTRUCTION}");
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

    /// The keys that sign and verify access tokens.
    pub(crate) fn token_keys(&self) -> (EncodingKey, DecodingKey) {
        let seed = self.derive("access tokens", &[]);
        let public = SigningKey::from_bytes(&seed).verifying_key();
        let private = KeypairBytes { secret_key: seed, public_key: None };
        let pkcs8 = private.to_pkcs8_der().expect("every seed of 32 bytes can be encoded");
        (EncodingKey::from_ed_der(pkcs8.as_bytes()), DecodingKey::from_ed_der(public.as_bytes()))
    }

    /// The keyed hash of a request. Different requests have different hashes.
    pub(crate) fn fingerprint(&self, method: &str, path: &str, body: &[u8]) -> String {
        hex::encode(self.derive("fingerprint", &[method.as_bytes(), path.as_bytes(), body]))
    }

    /// The keyed hash of a client's network.
    pub(crate) fn hash_network(&self, network: IpAddr) -> [u8; 32] {
        self.derive("client network", &[network.to_string().as_bytes()])
    }

    /// The id of a new operation: a UUIDv7 whose last 4 bytes prove its owner. So `/operations/{id}`
    /// returns "pending" only for real operations, and only to their owner.
    pub(crate) fn new_operation(&self, actor: Actor) -> OperationId {
        self.with_proof(Uuid::now_v7().into_bytes(), actor)
    }

    /// The id of the operation of this actor with this idempotency key. It is always the same.
    pub(crate) fn keyed_operation(&self, actor: Actor, key: &str) -> OperationId {
        let derived = self.derive("idempotency key", &[actor_name(actor).as_bytes(), key.as_bytes()]);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&derived[..16]);
        let id = Builder::from_bytes(bytes)
            .with_variant(Variant::RFC4122)
            .with_version(Version::Custom)
            .into_uuid();
        self.with_proof(id.into_bytes(), actor)
    }

    /// Whether this site made the id for this actor.
    pub(crate) fn is_made_for(&self, operation: OperationId, actor: Actor) -> bool {
        self.with_proof(operation.get().into_bytes(), actor) == operation
    }

    fn with_proof(&self, mut id: [u8; 16], actor: Actor) -> OperationId {
        let proof = self.derive("operation owner", &[actor_name(actor).as_bytes(), &id[..PROOF_START]]);
        id[PROOF_START..].copy_from_slice(&proof[..16 - PROOF_START]);
        Uuid::from_bytes(id).into()
    }
}

/// The name of an actor in derived keys. It must not change.
fn actor_name(actor: Actor) -> String {
    match actor {
        Actor::Anonymous => "nobody".to_owned(),
        Actor::Account(id) => format!("account {id}"),
        Actor::Service(id) => format!("service {id}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        "q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==".parse().unwrap()
    }

    fn account(id: i64) -> Actor {
        Actor::Account(id.try_into().unwrap())
    }

    #[test]
    fn weak_secret_is_refused() {
        assert!("".parse::<Secret>().is_err());
        assert!("not base64!".parse::<Secret>().is_err());
        assert!(STANDARD.encode([7; 64]).parse::<Secret>().is_err());
        assert!(STANDARD.encode(b"0123456789abcdef").parse::<Secret>().is_err());
    }

    #[test]
    fn operation_id_proves_its_owner() {
        for id in [secret().new_operation(account(1)), secret().keyed_operation(account(1), "key")] {
            assert!(secret().is_made_for(id, account(1)));
            assert!(!secret().is_made_for(id, account(2)));
            assert!(!secret().is_made_for(id, Actor::Service(1.try_into().unwrap())));
        }
        assert!(!secret().is_made_for(Uuid::now_v7().into(), account(1)));
    }

    #[test]
    fn idempotency_key_is_valid_for_one_actor() {
        let id = |id, key| secret().keyed_operation(account(id), key);
        assert_eq!(id(1, "a"), id(1, "a"));
        assert_ne!(id(1, "a"), id(1, "b"));
        assert_ne!(id(1, "a"), id(2, "a"));
    }

    /// Values of version 0.2.0. Another value would invalidate all access tokens and idempotency keys.
    #[test]
    fn derived_keys_stay_the_same() {
        let (encoding, _) = secret().token_keys();
        let header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::EdDSA);
        let token = jsonwebtoken::encode(&header, &serde_json::json!({ "sub": "1" }), &encoding).unwrap();
        assert_eq!(
            token,
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.\
             46JbrCfFNu6lKlwqCWvI8G8B4r7woNYd0coeBP8_l7I-uEnP7pgZbeFPkFYwa0NFcTXKeh-BXtxhkdXZ4eLIBQ"
        );
        assert_eq!(
            secret().fingerprint("POST", "/auth", b"{}"),
            "745abb4577e80fabe992ac635c43f3b00cf6618c024fc43fb66f76fa90292733"
        );
        let operation_id = secret().keyed_operation(account(1), "key");
        assert_eq!(operation_id.to_string(), "af98763d-ff21-8427-8908-678b53086ac0");
    }
}
