//! The secrets of the site, and the keys and ids that are derived from them.

use std::{net::IpAddr, str::FromStr};

use anyhow::{Context, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use ed25519_dalek::{
    SigningKey,
    pkcs8::{EncodePrivateKey, KeypairBytes},
};
use guildhall_common::contract::{
    command::{Actor, OperationId},
    idempotency_key::KeyUse,
};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{DecodingKey, EncodingKey};
use secrecy::{ExposeSecret, SecretString};
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
struct Secret(Vec<u8>);

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
    fn token_keys(&self) -> (EncodingKey, DecodingKey) {
        let seed = self.derive("access tokens", &[]);
        let public = SigningKey::from_bytes(&seed).verifying_key();
        let private = KeypairBytes { secret_key: seed, public_key: None };
        let pkcs8 = private.to_pkcs8_der().expect("every seed of 32 bytes can be encoded");
        (EncodingKey::from_ed_der(pkcs8.as_bytes()), DecodingKey::from_ed_der(public.as_bytes()))
    }

    /// The keyed hash of a request. Different requests have different hashes.
    fn fingerprint(&self, method: &str, path: &str, body: &[u8]) -> String {
        hex::encode(self.derive("fingerprint", &[method.as_bytes(), path.as_bytes(), body]))
    }

    fn hash_network(&self, network: IpAddr) -> [u8; 32] {
        self.derive("client network", &[network.to_string().as_bytes()])
    }

    /// The keyed hash of an actor and its idempotency key.
    fn hash_key(&self, actor: Actor, key: &str) -> Uuid {
        let derived = self.derive("idempotency key", &[actor_name(actor).as_bytes(), key.as_bytes()]);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&derived[..16]);
        let id = Builder::from_bytes(bytes).with_variant(Variant::RFC4122).with_version(Version::Custom);
        self.with_proof(id.into_uuid().into_bytes(), actor)
    }

    fn with_proof(&self, mut id: [u8; 16], actor: Actor) -> Uuid {
        let proof = self.derive("operation owner", &[actor_name(actor).as_bytes(), &id[..PROOF_START]]);
        id[PROOF_START..].copy_from_slice(&proof[..16 - PROOF_START]);
        Uuid::from_bytes(id)
    }
}

/// The secrets of the site. The first one signs, and all of them verify. So a secret can be replaced while clients repeat
/// requests and use their tokens.
#[derive(Clone)]
pub(crate) struct Secrets {
    first: Secret,
    others: Vec<Secret>,
}

impl Secrets {
    /// # Errors
    /// There is no secret, or one is not at least 32 random bytes in base64.
    pub(crate) fn new(secrets: &[SecretString]) -> anyhow::Result<Self> {
        let mut secrets = secrets.iter().map(|secret| secret.expose_secret().parse());
        let first = secrets.next().context(INSTRUCTION)??;
        Ok(Self { first, others: secrets.collect::<anyhow::Result<_>>()? })
    }

    fn all(&self) -> impl Iterator<Item = &Secret> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The key that signs access tokens, and the keys that verify them.
    pub(crate) fn token_keys(&self) -> (EncodingKey, Vec<DecodingKey>) {
        let verifying = self.all().map(|secret| secret.token_keys().1);
        (self.first.token_keys().0, verifying.collect())
    }

    /// The keyed hash of a request. Different requests have different hashes.
    pub(crate) fn fingerprint(&self, method: &str, path: &str, body: &[u8]) -> String {
        self.first.fingerprint(method, path, body)
    }

    /// The keyed hashes of a client's network, the one of the first secret first.
    pub(crate) fn hash_network(&self, network: IpAddr) -> Vec<[u8; 32]> {
        self.all().map(|secret| secret.hash_network(network)).collect()
    }

    /// The next refresh tokens after a presented one, under each secret, as 32 bytes. The first one is used for a renewal, and
    /// the others may have been used for an earlier one.
    pub(crate) fn next_refresh_tokens(&self, presented: &str) -> Vec<[u8; 32]> {
        self.all().map(|secret| secret.derive("refresh token", &[presented.as_bytes()])).collect()
    }

    /// The key of a purpose that encrypts.
    pub(crate) fn first_key(&self, purpose: &str) -> [u8; 32] {
        self.first.derive(purpose, &[])
    }

    /// The keys of a purpose that decrypt, the one that encrypts first.
    pub(crate) fn all_keys(&self, purpose: &str) -> impl Iterator<Item = [u8; 32]> {
        self.all().map(move |secret| secret.derive(purpose, &[]))
    }

    /// The id of a new operation: a UUIDv7 whose last 4 bytes prove its owner. So `/operations/{id}`
    /// returns "pending" only for real operations, and only to their owner.
    pub(crate) fn new_operation(&self, actor: Actor) -> OperationId {
        self.first.with_proof(Uuid::now_v7().into_bytes(), actor).into()
    }

    /// The uses of an idempotency key by this request, under each secret.
    ///
    /// All requests without a token have the same actor. A key of theirs is valid only for the same request, so that strangers
    /// cannot use up the keys of others.
    pub(crate) fn key_uses(
        &self,
        actor: Actor,
        key: &str,
        (method, path, body): (&str, &str, &[u8]),
    ) -> Vec<KeyUse> {
        let key_use = |secret: &Secret| {
            let fingerprint = secret.fingerprint(method, path, body);
            let key = match actor {
                Actor::Anonymous => secret.hash_key(actor, &format!("{key} {fingerprint}")),
                Actor::Account(_) | Actor::Service(_) => secret.hash_key(actor, key),
            };
            KeyUse { key, fingerprint, is_shared: false }
        };
        self.all().map(key_use).collect()
    }

    /// Whether this site made the id for this actor.
    pub(crate) fn is_made_for(&self, operation: OperationId, actor: Actor) -> bool {
        let id = operation.get();
        self.all().any(|secret| secret.with_proof(id.into_bytes(), actor) == id)
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

    const SECRET: &str = "q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==";
    const OTHER: &str = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

    fn secret() -> Secret {
        SECRET.parse().unwrap()
    }

    fn secrets(texts: &[&str]) -> Secrets {
        Secrets::new(&texts.iter().map(|text| (*text).into()).collect::<Vec<_>>()).unwrap()
    }

    fn account(id: i64) -> Actor {
        Actor::Account(id.try_into().unwrap())
    }

    #[test]
    fn weak_secret_is_refused() {
        for weak in ["", "not base64!", &STANDARD.encode([7; 64]), &STANDARD.encode(b"0123456789abcdef")] {
            assert!(Secrets::new(&[SECRET.into(), weak.into()]).is_err());
        }
        assert!(Secrets::new(&[]).is_err());
    }

    #[test]
    fn operation_id_proves_its_owner() {
        let id = secrets(&[SECRET]).new_operation(account(1));
        for secrets in [secrets(&[SECRET]), secrets(&[OTHER, SECRET])] {
            assert!(secrets.is_made_for(id, account(1)));
            assert!(!secrets.is_made_for(id, account(2)));
            assert!(!secrets.is_made_for(id, Actor::Service(1.try_into().unwrap())));
            assert!(!secrets.is_made_for(Uuid::now_v7().into(), account(1)));
        }
        assert!(!secrets(&[OTHER]).is_made_for(id, account(1)));
    }

    #[test]
    fn idempotency_key_is_valid_for_one_actor() {
        let uses =
            |actor, key, body: &[u8]| secrets(&[SECRET]).key_uses(actor, key, ("POST", "/", body))[0].clone();
        assert_eq!(uses(account(1), "a", b""), uses(account(1), "a", b""));
        assert_ne!(uses(account(1), "a", b"").key, uses(account(1), "b", b"").key);
        assert_ne!(uses(account(1), "a", b"").key, uses(account(2), "a", b"").key);
        assert_eq!(uses(account(1), "a", b"").key, uses(account(1), "a", b"{}").key);
        assert_ne!(uses(account(1), "a", b"").fingerprint, uses(account(1), "a", b"{}").fingerprint);
        assert_ne!(uses(Actor::Anonymous, "a", b"").key, uses(Actor::Anonymous, "a", b"{}").key);
    }

    #[test]
    fn key_is_recognised_under_each_secret() {
        let uses = |texts: &[&str]| secrets(texts).key_uses(account(1), "a", ("POST", "/", b""));
        assert_eq!(uses(&[OTHER, SECRET])[1], uses(&[SECRET])[0]);
        assert_ne!(uses(&[OTHER, SECRET])[0], uses(&[SECRET])[0]);
    }

    /// Values of earlier versions. Another value would invalidate all access tokens and idempotency keys.
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
        let operation_id = secret().hash_key(account(1), "key");
        assert_eq!(operation_id.to_string(), "af98763d-ff21-8427-8908-678b53086ac0");
    }
}
