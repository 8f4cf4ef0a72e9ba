//! The codes of an authenticator app: TOTP of RFC 6238 with SHA-1, six digits, and steps of 30 seconds.

use std::time::SystemTime;

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// The present step.
#[must_use]
pub fn step() -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    (now.as_secs() / 30).cast_signed()
}

/// The code of a step.
///
/// Source: RFC 4226, section 5.3.
///
/// # Panics
/// Never: HMAC takes secrets of any length.
#[must_use]
pub fn code(secret: &[u8], step: i64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let offset = usize::from(hash[19] & 15);
    let number = [hash[offset], hash[offset + 1], hash[offset + 2], hash[offset + 3]];
    format!("{:06}", (u32::from_be_bytes(number) & 0x7fff_ffff) % 1_000_000)
}
