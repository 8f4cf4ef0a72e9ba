//! Forged tokens, and the response that they get.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::Value;
use sha2::Sha256;

use crate::support::client::Response;

/// The seed of the key with which an api with this secret signs its access tokens.
pub(super) fn signing_seed(secret: &str) -> [u8; 32] {
    let purpose = b"access tokens";
    let mut mac = Hmac::<Sha256>::new_from_slice(&STANDARD.decode(secret).unwrap()).unwrap();
    mac.update(&(purpose.len() as u64).to_be_bytes());
    mac.update(purpose);
    mac.finalize().into_bytes().into()
}

/// Signs claims with Ed25519.
pub(super) fn sign(seed: [u8; 32], claims: &Value) -> String {
    /// The bytes of an Ed25519 key in PKCS #8 before its seed: RFC 8410, section 7.
    const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    let key = EncodingKey::from_ed_der(&[PKCS8.as_slice(), &seed].concat());
    jsonwebtoken::encode(&Header::new(Algorithm::EdDSA), claims, &key).unwrap()
}

/// The claims of an access token.
pub(super) fn claims_of(token: &str) -> Value {
    let claims = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

/// The token with another character at this position.
pub(super) fn with_changed_character(token: &str, at: usize) -> String {
    let other = if &token[at..=at] == "a" { "b" } else { "a" };
    format!("{}{other}{}", &token[..at], &token[at + 1..])
}

#[track_caller]
pub(super) fn assert_unauthorized(token: &str, response: Response) {
    assert_eq!(
        (response.status, response.header("www-authenticate")),
        (401, "Bearer"),
        "{token}: {response:?}"
    );
    let problem = response.problem(401, "unauthorized");
    assert_eq!(problem["type"], "urn:guildhall:problem:unauthorized", "{token}");
}
