//! Signatures of Standard Webhooks 1.0
//! (<https://github.com/standard-webhooks/standard-webhooks>).

use anyhow::{Context, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The largest difference between the time of a signature and the current time, in seconds. An older one may be a replay.
const TOLERANCE: i64 = 300;

/// The maximum number of signatures of one notification that are verified.
const MAX_SIGNATURES: usize = 10;

/// The prefix of every secret.
const PREFIX: &str = "whsec_";

/// The valid secrets. There are several while one is replaced.
#[derive(Clone, Default)]
pub(super) struct SigningSecrets(Vec<Vec<u8>>);

impl SigningSecrets {
    /// # Errors
    /// A secret is not `whsec_` with 24 to 64 bytes in base64.
    pub(super) fn new(secrets: &[SecretString]) -> anyhow::Result<Self> {
        let secrets = secrets.iter().map(|secret| {
            let text = secret.expose_secret().trim();
            let text = text.strip_prefix(PREFIX).context("a secret must start with whsec_")?;
            let bytes = STANDARD.decode(text).context("a secret must be base64 after whsec_")?;
            ensure!((24..=64).contains(&bytes.len()), "a secret must have 24 to 64 bytes");
            Ok(bytes)
        });
        Ok(Self(secrets.collect::<anyhow::Result<_>>()?))
    }

    /// Whether no signature can be valid.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the signatures of this message is valid and its time (Unix, seconds) is within the tolerance.
    pub(super) fn verify(&self, id: &str, timestamp: &str, signatures: &str, body: &[u8], now: i64) -> bool {
        let given: Vec<[u8; 32]> = signatures.split(' ').take(MAX_SIGNATURES).filter_map(decoded).collect();
        is_current(timestamp, now)
            && !given.is_empty()
            && self.is_signed(&given, &[id, ".", timestamp, "."], body)
    }

    /// Computes one digest for each secret, independent of the number of signatures.
    fn is_signed(&self, given: &[[u8; 32]], message: &[&str], body: &[u8]) -> bool {
        self.0.iter().any(|secret| {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
            message.iter().for_each(|part| mac.update(part.as_bytes()));
            mac.update(body);
            let signature = mac.finalize().into_bytes();
            given.iter().any(|given| signature.as_slice().ct_eq(given).into())
        })
    }
}

/// Whether the time of a message (Unix, seconds) is within the tolerance.
pub(super) fn is_current(timestamp: &str, now: i64) -> bool {
    // `parse` accepts a sign, but the standard does not.
    let is_number = !timestamp.is_empty() && timestamp.bytes().all(|byte| byte.is_ascii_digit());
    is_number && timestamp.parse::<i64>().is_ok_and(|time| now.abs_diff(time) <= TOLERANCE as u64)
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

    /// Secret, message and signature are a published example of the standard.
    fn published() -> SigningSecrets {
        secrets(&["whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])
            .unwrap()
    }

    #[test]
    fn published_example_is_valid() {
        for signatures in [SIGNATURE.to_owned(), format!("v1,AAAA v2,x {SIGNATURE}")] {
            assert!(published().verify(ID, "1649367553", &signatures, BODY, TIME));
        }
        for now in [TIME - 300, TIME + 300] {
            assert!(published().verify(ID, "1649367553", SIGNATURE, BODY, now));
        }
    }

    #[test]
    fn changed_notification_is_not_valid() {
        assert!(!published().verify(ID, "1649367553", SIGNATURE, b"{}", TIME));
        assert!(!published().verify("msg_other", "1649367553", SIGNATURE, BODY, TIME));
        assert!(!published().verify(ID, "1649367554", SIGNATURE, BODY, TIME));
        for now in [TIME - 301, TIME + 301] {
            assert!(!published().verify(ID, "1649367553", SIGNATURE, BODY, now));
        }
        for signature in
            ["", "v1,", &SIGNATURE[3..], "v1,AAAA", "v2,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="]
        {
            assert!(!published().verify(ID, "1649367553", signature, BODY, TIME));
        }
        for timestamp in ["", "+1649367553", " 1649367553", "16493675530000000000", "x"] {
            assert!(!published().verify(ID, timestamp, SIGNATURE, BODY, TIME));
        }
        assert!(!secrets(&[]).unwrap().verify(ID, "1649367553", SIGNATURE, BODY, TIME));
    }

    #[test]
    fn weak_secret_is_refused() {
        for weak in ["", "whsec_", "whsec_AAAA", "whsec_!", "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"] {
            assert!(secrets(&[weak]).is_err(), "{weak}");
        }
    }
}
