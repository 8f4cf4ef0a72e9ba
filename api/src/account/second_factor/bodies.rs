//! The bodies of requests about the second factor, and of their responses.

use guildhall_common::text_types;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::auth::{challenge::LogInChallenge, password::Password, second_factor_code::SecondFactorCode};

text_types! {
    /// The `enrolment` of the response with the secret.
    SecondFactorEnrolment { 1 ..= 1000, "^[A-Za-z0-9_-]+$", "c2VhbGVkLWVucm9sbWVudA" }
}

/// The password of the account, and a code of its second factor.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PasswordAndCode {
    pub(super) password: Password,
    pub(super) code: SecondFactorCode,
}

/// The first code of an authenticator app.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct FirstCode {
    pub(super) enrolment: SecondFactorEnrolment,
    pub(super) code: SecondFactorCode,
}

/// The second step of a log-in.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CodeAfterPassword {
    pub(super) challenge: LogInChallenge,
    pub(super) code: SecondFactorCode,
    /// Whether log-ins with the `device_token` of the response need no code for 30 days.
    #[serde(default)]
    #[oai(default)]
    pub(super) trust_device: bool,
}

/// A secret for an authenticator app. The account does not have it yet.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct NewSecondFactor {
    /// The secret in Base32, for apps that cannot read a QR code.
    pub secret: String,
    /// The secret as a URI. A page on a phone can link to it, which opens the app.
    pub uri: String,
    /// The URI as a QR code: an SVG document.
    pub qrcode_svg: String,
    /// Send it back with the first code, within 15 minutes.
    pub enrolment: String,
}

/// New recovery codes. They are shown only once. Each is valid once, in place of a code of the app.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct RecoveryCodeList {
    pub recovery_codes: Vec<String>,
}

guildhall_common::examples! {
    PasswordAndCode { "password": "correct horse battery", "code": "123456" }
    FirstCode { "enrolment": "c2VhbGVkLWVucm9sbWVudA", "code": "123456" }
    CodeAfterPassword { "challenge": "c2VhbGVkLWNoYWxsZW5nZQ", "code": "123456", "trust_device": true }
    NewSecondFactor {
        "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        "uri": "otpauth://totp/Night%20Watch:mira?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Night%20Watch&algorithm=SHA1&digits=6&period=30",
        "qrcode_svg": "<svg>…</svg>", "enrolment": "c2VhbGVkLWVucm9sbWVudA"
    }
    RecoveryCodeList { "recovery_codes": ["abcd-efgh-ijkl-mnop", "qrst-uvwx-yz23-4567"] }
}
