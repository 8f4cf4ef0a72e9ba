//! Identifiers and timestamps in the forms of API Pix.

use std::ops::RangeInclusive;

use chrono::{DateTime, SubsecRound, Utc};
use rand::distr::{Alphanumeric, SampleString};

/// The bank code (ISPB) of every payer in the sandbox. No real bank has this code.
const ISPB: &str = "99999999";

/// Returns the current time in milliseconds, the precision of API Pix.
pub(crate) fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(3)
}

/// Returns whether the text has an allowed length and only ASCII letters and digits.
pub(crate) fn has_id_shape(text: &str, lengths: RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns random ASCII letters and digits.
pub(crate) fn random_id(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}

/// Returns the id of a transfer: kind, bank code, minute and 11 random characters, 32 in total.
pub(super) fn message_id(kind: char, at: DateTime<Utc>) -> String {
    format!("{kind}{ISPB}{}{}", at.format("%Y%m%d%H%M"), random_id(11))
}
