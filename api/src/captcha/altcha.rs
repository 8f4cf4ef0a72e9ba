//! A proof of work in the format of ALTCHA, version 1 (<https://altcha.org>). It needs no provider.
//!
//! A client finds the number whose hash with the salt is the given one. The site keeps nothing: it recognises its own
//! captchas by their signatures. The crate altcha-lib-rs 0.3.3 was tried for this. It compares signatures in a time
//! that depends on them, and it takes only keys that are texts.

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{
    offer::Captcha,
    verifier::{CaptchaError, CaptchaVerifier, SolutionId},
};
use crate::auth::keys::Secrets;

const ALGORITHM: &str = "SHA-256";

/// The work of a captcha: the maximum number of hashes. A solution needs half of them on average. More would cost players more, while the
/// program of an attacker is faster than a browser.
const DIFFICULTY: u32 = 100_000;

/// The time in which a captcha must be solved and used.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// The purpose of the key. It is a part of the key.
const PURPOSE: &str = "captcha";

/// Makes and verifies captchas with keys of the site.
pub(super) struct Altcha {
    signing_key: [u8; 32],
    /// They include the signing key.
    verifying_keys: Vec<[u8; 32]>,
}

/// The decoded header. Clients may add fields, for example `took`.
#[derive(Deserialize)]
struct AltchaSolution {
    algorithm: String,
    challenge: String,
    number: u32,
    salt: String,
    signature: String,
}

impl Altcha {
    pub(super) fn new(secrets: &Secrets) -> Self {
        Self { signing_key: secrets.first_key(PURPOSE), verifying_keys: secrets.all_keys(PURPOSE).collect() }
    }

    /// The hash that the solution has solved, if it is the solution of a captcha of this site that is valid at this time.
    fn verify(&self, solution: &str, now: DateTime<Utc>) -> Option<[u8; 32]> {
        let solution: AltchaSolution = serde_json::from_slice(&STANDARD.decode(solution).ok()?).ok()?;
        let hash = hash(&solution.salt, solution.number);
        let is_solved = solution.algorithm == ALGORITHM && solution.challenge == hex::encode(hash);
        let signature = hex::decode(&solution.signature).ok()?;
        let is_signed = || {
            self.verifying_keys
                .iter()
                .any(|key| mac(key, &solution.challenge).verify_slice(&signature).is_ok())
        };
        (is_solved && is_signed() && expiry(&solution.salt)? > now.timestamp()).then_some(hash)
    }

    /// The fields of a captcha with this random text and this number.
    fn fill(&self, captcha: Captcha, random: [u8; 12], number: u32, expires_at: DateTime<Utc>) -> Captcha {
        let salt = format!("{}?expires={}&", hex::encode(random), expires_at.timestamp());
        let challenge = hex::encode(hash(&salt, number));
        let signature = hex::encode(mac(&self.signing_key, &challenge).finalize().into_bytes());
        Captcha {
            algorithm: Some(ALGORITHM.to_owned()),
            challenge: Some(challenge),
            maxnumber: Some(DIFFICULTY),
            salt: Some(salt),
            signature: Some(signature),
            ..captcha
        }
    }
}

impl CaptchaVerifier for Altcha {
    fn complete(&self, captcha: Captcha) -> Captcha {
        let number = rand::random_range(0..=DIFFICULTY);
        self.fill(captcha, rand::random(), number, Utc::now() + LIFETIME)
    }

    fn identify(&self, solution: &str) -> Result<SolutionId, CaptchaError> {
        self.verify(solution, Utc::now()).map(SolutionId).ok_or(CaptchaError::Unsolved)
    }
}

fn hash(salt: &str, number: u32) -> [u8; 32] {
    Sha256::digest(format!("{salt}{number}")).into()
}

fn mac(key: &[u8; 32], challenge: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(challenge.as_bytes());
    mac
}

/// The time in a salt, in seconds since 1970. The salt ends with `&`, or digits of the time could be taken for the number.
fn expiry(salt: &str) -> Option<i64> {
    let (_, parameters) = salt.strip_suffix('&')?.split_once('?')?;
    parameters.split('&').find_map(|parameter| parameter.strip_prefix("expires="))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::config::CaptchaKind;

    const EXPIRES: i64 = 1_896_091_200;

    /// A captcha and its solution from the npm package altcha-lib 1.4.1, with the key `0123456789abcdef0123456789abcdef`.
    const CHALLENGE: &str = "a178dd1b4fb326ba286695b0602c162d8fa946d4033b66c6a77dbe14b76dacfa";
    const SIGNATURE: &str = "7e61f88b91aa246cb9de53132614128a286ffc888d384318fb8069ed52f5ce36";
    const SOLUTION: &str = "eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjoiYTE3OGRkMWI0ZmIzMjZiYTI4NjY5NWIwNjAyYzE2MmQ4ZmE5NDZkNDAzM2I2NmM2YTc3ZGJlMTRiNzZkYWNmYSIsIm51bWJlciI6NTM3NDIsInNhbHQiOiI5YTFjMGY3M2U2YjI1ZDg4NDFjN2UyMGI/ZXhwaXJlcz0xODk2MDkxMjAwJiIsInNpZ25hdHVyZSI6IjdlNjFmODhiOTFhYTI0NmNiOWRlNTMxMzI2MTQxMjhhMjg2ZmZjODg4ZDM4NDMxOGZiODA2OWVkNTJmNWNlMzYiLCJ0b29rIjoyNjI5fQ==";

    fn altcha(keys: &[&[u8; 32]]) -> Altcha {
        let verifying_keys = keys.iter().map(|key| **key).collect();
        Altcha { signing_key: *keys[0], verifying_keys }
    }

    fn of_the_package() -> Altcha {
        altcha(&[b"0123456789abcdef0123456789abcdef"])
    }

    fn time(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn is_accepted(altcha: &Altcha, solution: &Value) -> bool {
        altcha.verify(&STANDARD.encode(solution.to_string()), time(EXPIRES - 1)).is_some()
    }

    #[test]
    fn captcha_is_that_of_the_package() {
        let random = *hex::decode("9a1c0f73e6b25d8841c7e20b").unwrap().first_chunk().unwrap();
        let captcha = Captcha::new(CaptchaKind::Altcha, vec![]);
        let captcha = of_the_package().fill(captcha, random, 53_742, time(EXPIRES));
        assert_eq!(captcha.salt.as_deref(), Some("9a1c0f73e6b25d8841c7e20b?expires=1896091200&"));
        assert_eq!(captcha.challenge.as_deref(), Some(CHALLENGE));
        assert_eq!(captcha.signature.as_deref(), Some(SIGNATURE));
    }

    #[test]
    fn solution_of_the_package_is_accepted_until_it_expires() {
        let hash = of_the_package().verify(SOLUTION, time(EXPIRES - 1));
        assert_eq!(hash.map(hex::encode).as_deref(), Some(CHALLENGE));
        assert!(of_the_package().verify(SOLUTION, time(EXPIRES)).is_none());
    }

    /// All texts of one solution have one id, or it could be used several times.
    #[test]
    fn another_text_of_the_solution_has_the_same_id() {
        let decoded = STANDARD.decode(SOLUTION).unwrap();
        let spaced = [b" ", decoded.as_slice()].concat();
        let verified = of_the_package().verify(&STANDARD.encode(spaced), time(EXPIRES - 1));
        assert_eq!(verified, of_the_package().verify(SOLUTION, time(EXPIRES - 1)));
        let mut upper: Value = serde_json::from_slice(&decoded).unwrap();
        upper["challenge"] = CHALLENGE.to_uppercase().into();
        assert!(!is_accepted(&of_the_package(), &upper));
    }

    #[test]
    fn changed_solution_is_refused() {
        let right: Value = serde_json::from_slice(&STANDARD.decode(SOLUTION).unwrap()).unwrap();
        assert!(is_accepted(&of_the_package(), &right));
        for (field, value) in [
            ("algorithm", json!("SHA-1")),
            ("challenge", json!("0".repeat(64))),
            ("number", json!(53_743)),
            ("number", json!(-1)),
            ("number", json!("53742")),
            ("salt", json!("9a1c0f73e6b25d8841c7e20b?expires=1896091201&")),
            ("signature", json!("0".repeat(64))),
            ("signature", json!("")),
        ] {
            let mut changed = right.clone();
            changed[field] = value;
            assert!(!is_accepted(&of_the_package(), &changed), "{changed}");
        }
        // The first digits of the number become digits of the time. The hash stays the same.
        for (salt, number) in
            [("9a1c0f73e6b25d8841c7e20b?expires=1896091200&5", 3742), ("9a1c0f73e6b25d8841c7e20b?x", 1)]
        {
            let mut moved = right.clone();
            moved["salt"] = salt.into();
            moved["number"] = number.into();
            assert!(!is_accepted(&of_the_package(), &moved), "{moved}");
        }
        for text in ["", "e30=", "bnVsbA==", "not base64!", &SOLUTION[4..]] {
            assert!(of_the_package().verify(text, time(EXPIRES - 1)).is_none(), "{text}");
        }
    }

    #[test]
    fn keys_of_all_secrets_verify() {
        let (new, old) = (b"fedcba9876543210fedcba9876543210", b"0123456789abcdef0123456789abcdef");
        assert!(altcha(&[new, old]).verify(SOLUTION, time(EXPIRES - 1)).is_some());
        assert!(altcha(&[new]).verify(SOLUTION, time(EXPIRES - 1)).is_none());
    }

    #[test]
    fn salt_without_a_time_is_refused() {
        assert_eq!(expiry("a?expires=17&"), Some(17));
        assert_eq!(expiry("a?b=1&expires=17&"), Some(17));
        for salt in ["a?expires=17", "a&", "a?&", "a?expires=&", "expires=17&"] {
            assert_eq!(expiry(salt), None, "{salt}");
        }
    }
}
