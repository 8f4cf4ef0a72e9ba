//! The codes of authenticator apps: TOTP of RFC 6238 with SHA-1, six digits, and steps of 30 seconds. All apps support these.

use chrono::{DateTime, Utc};
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::http::percent::encoded;

/// The seconds of a step.
const STEP: i64 = 30;

/// The codes of this many steps before and after the current one are accepted, because clocks differ.
const TOLERATED_STEPS: i64 = 1;

/// A secret that the site shares with an authenticator app: 160 bits, as RFC 4226 recommends.
pub(crate) struct TotpSecret([u8; 20]);

impl TotpSecret {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }

    /// None if it has another length.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The form that a person can type into an app.
    pub(crate) fn base32(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// The URI that apps read from a QR code.
    ///
    /// Source: the key URI format of Google Authenticator.
    pub(crate) fn uri(&self, issuer: &str, account: &str) -> String {
        let (issuer, account) = (encoded(issuer), encoded(account));
        let secret = self.base32();
        format!(
            "otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period={STEP}"
        )
    }

    /// The step whose code this is, if it is near the present one. It takes the same time for each code.
    pub(crate) fn matching_step(&self, code: &str, now: DateTime<Utc>) -> Option<i64> {
        let current = now.timestamp().div_euclid(STEP);
        let mut matching = 0;
        for step in current - TOLERATED_STEPS..=current + TOLERATED_STEPS {
            let expected = format!("{:06}", self.truncated_hash(step) % 1_000_000);
            matching.conditional_assign(&step, expected.as_bytes().ct_eq(code.as_bytes()));
        }
        (matching != 0).then_some(matching)
    }

    /// The number whose last digits are the code of a step.
    ///
    /// Source: RFC 4226, section 5.3.
    fn truncated_hash(&self, step: i64) -> u32 {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&step.to_be_bytes());
        let hash = mac.finalize().into_bytes();
        let offset = usize::from(hash[19] & 0xf);
        u32::from_be_bytes([hash[offset], hash[offset + 1], hash[offset + 2], hash[offset + 3]]) & 0x7fff_ffff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> TotpSecret {
        TotpSecret(*b"12345678901234567890")
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    /// RFC 6238, appendix B: the codes of SHA-1 with eight digits.
    const VECTORS: [(i64, u32); 6] = [
        (59, 94_287_082),
        (1_111_111_109, 7_081_804),
        (1_111_111_111, 14_050_471),
        (1_234_567_890, 89_005_924),
        (2_000_000_000, 69_279_037),
        (20_000_000_000, 65_353_130),
    ];

    #[test]
    fn codes_are_those_of_the_standard() {
        for (seconds, code) in VECTORS {
            assert_eq!(secret().truncated_hash(seconds / STEP) % 100_000_000, code);
            let six_digits = format!("{:06}", code % 1_000_000);
            assert_eq!(secret().matching_step(&six_digits, at(seconds)), Some(seconds / STEP));
        }
    }

    #[test]
    fn code_of_the_previous_and_the_next_step_is_accepted() {
        let (time, step) = (1_234_567_890, 1_234_567_890 / STEP);
        let code = |step| format!("{:06}", secret().truncated_hash(step) % 1_000_000);
        for near in step - 1..=step + 1 {
            assert_eq!(secret().matching_step(&code(near), at(time)), Some(near));
        }
        for far in [step - 2, step + 2] {
            assert_eq!(secret().matching_step(&code(far), at(time)), None);
        }
        for wrong in ["", "05924", "0059245", "abcdef"] {
            assert_eq!(secret().matching_step(wrong, at(time)), None);
        }
        assert_eq!(TotpSecret::random().matching_step(&code(step), at(time)), None);
    }

    #[test]
    fn uri_has_the_secret_and_encoded_names() {
        assert_eq!(
            secret().uri("Night & Watch", "mira:é"),
            "otpauth://totp/Night%20%26%20Watch:mira%3A%C3%A9?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Night%20%26%20Watch&algorithm=SHA1&digits=6&period=30"
        );
        assert_eq!(TotpSecret::from_bytes(secret().as_bytes()).unwrap().0, secret().0);
        assert!(TotpSecret::from_bytes(&[1; 19]).is_none());
    }
}
