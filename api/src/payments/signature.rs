//! Notifications signed by the rules of Standard Webhooks 1.0
//! (<https://github.com/standard-webhooks/standard-webhooks>).

use anyhow::{Context, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// How far a signature's time may be from ours, in seconds: an older one may be a replay.
const TOLERANCE: i64 = 300;

/// Signatures of one notification that are looked at.
const MOST: usize = 10;

/// What a secret begins with.
const PREFIX: &str = "whsec_";

/// The secrets that are good; several while one is being replaced.
#[derive(Clone, Default)]
pub(crate) struct SigningSecrets(Vec<Vec<u8>>);

impl SigningSecrets {
    /// # Errors
    /// When one is not `whsec_` and 24 to 64 bytes in base64.
    pub(crate) fn new(secrets: &[SecretString]) -> anyhow::Result<Self> {
        let secrets = secrets.iter().map(|secret| {
            let text = secret.expose_secret().trim();
            let text = text.strip_prefix(PREFIX).context("it must begin with whsec_")?;
            let bytes = STANDARD.decode(text).context("it is not base64")?;
            ensure!((24..=64).contains(&bytes.len()), "it must have 24 to 64 bytes");
            Ok(bytes)
        });
        Ok(Self(secrets.collect::<anyhow::Result<_>>()?))
    }

    /// Whether one of the signatures over this message is good and its time (Unix, seconds) is about now.
    pub(super) fn verify(&self, id: &str, timestamp: &str, signatures: &str, body: &[u8], now: i64) -> bool {
        // Nobody's clock writes a sign or a space.
        let digits = !timestamp.is_empty() && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let current = timestamp.parse::<i64>().is_ok_and(|time| now.abs_diff(time) <= TOLERANCE as u64);
        let given: Vec<[u8; 32]> = signatures.split(' ').take(MOST).filter_map(decoded).collect();
        digits && current && !given.is_empty() && self.signed(&given, &[id, ".", timestamp, "."], body)
    }

    /// One digest for each secret, however many signatures a stranger sends.
    fn signed(&self, given: &[[u8; 32]], message: &[&str], body: &[u8]) -> bool {
        self.0.iter().any(|secret| {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
            message.iter().for_each(|part| mac.update(part.as_bytes()));
            mac.update(body);
            let signature = mac.finalize().into_bytes();
            given.iter().any(|given| signature.as_slice().ct_eq(given).into())
        })
    }
}

fn decoded(signature: &str) -> Option<[u8; 32]> {
    STANDARD.decode(signature.strip_prefix("v1,")?).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::SigningSecrets;

    const ID: &str = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
    const TIME: i64 = 1_649_367_553;
    const BODY: &[u8] = br#"{"email":"test@example.com","username":"test_user"}"#;
    const SIGNATURE: &str = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";

    fn secrets(secrets: &[&str]) -> anyhow::Result<SigningSecrets> {
        SigningSecrets::new(&secrets.iter().map(|secret| (*secret).into()).collect::<Vec<_>>())
    }

    /// Secret, message and signature are a published example of the standard's.
    fn good() -> SigningSecrets {
        secrets(&["whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])
            .unwrap()
    }

    #[test]
    fn a_published_example_is_good() {
        for signatures in [SIGNATURE.to_owned(), format!("v1,AAAA v2,x {SIGNATURE}")] {
            assert!(good().verify(ID, "1649367553", &signatures, BODY, TIME));
        }
        for now in [TIME - 300, TIME + 300] {
            assert!(good().verify(ID, "1649367553", SIGNATURE, BODY, now));
        }
    }

    #[test]
    fn anything_else_is_not() {
        assert!(!good().verify(ID, "1649367553", SIGNATURE, b"{}", TIME));
        assert!(!good().verify("msg_other", "1649367553", SIGNATURE, BODY, TIME));
        assert!(!good().verify(ID, "1649367554", SIGNATURE, BODY, TIME));
        for now in [TIME - 301, TIME + 301] {
            assert!(!good().verify(ID, "1649367553", SIGNATURE, BODY, now));
        }
        for signature in
            ["", "v1,", &SIGNATURE[3..], "v1,AAAA", "v2,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="]
        {
            assert!(!good().verify(ID, "1649367553", signature, BODY, TIME));
        }
        for timestamp in ["", "+1649367553", " 1649367553", "16493675530000000000", "x"] {
            assert!(!good().verify(ID, timestamp, SIGNATURE, BODY, TIME));
        }
        assert!(!secrets(&[]).unwrap().verify(ID, "1649367553", SIGNATURE, BODY, TIME));
    }

    #[test]
    fn a_weak_secret_is_refused() {
        for weak in ["", "whsec_", "whsec_AAAA", "whsec_!", "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"] {
            assert!(secrets(&[weak]).is_err(), "{weak}");
        }
    }
}
