//! What a client needs to solve a captcha.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::config::{CaptchaKind, CaptchaPlace};

/// A captcha, and the requests that need its solution. The last five fields are there if the kind is `altcha`.
#[derive(Debug, Clone, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct Captcha {
    pub kind: CaptchaKind,
    /// The requests that need a solution in the header `Captcha`. Empty if the kind is `off`.
    pub required_at: Vec<CaptchaPlace>,
    /// The public key of the site at the provider. Missing unless the kind is `siteverify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_key: Option<String>,
    /// The hash function: `SHA-256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The hash of the salt and a secret number, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// The secret number is not higher than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxnumber: Option<u32>,
    /// Its parameter `expires` is the time until which a solution is accepted, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The proof that this site has made the captcha.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl Captcha {
    /// A captcha without the fields of its kind.
    pub(super) fn new(kind: CaptchaKind, required_at: Vec<CaptchaPlace>) -> Self {
        Self {
            kind,
            required_at,
            site_key: None,
            algorithm: None,
            challenge: None,
            maxnumber: None,
            salt: None,
            signature: None,
        }
    }
}

guildhall_common::examples! {
    Captcha {
        "kind": "altcha", "required_at": ["registration", "recovery"], "algorithm": "SHA-256",
        "challenge": "a178dd1b4fb326ba286695b0602c162d8fa946d4033b66c6a77dbe14b76dacfa", "maxnumber": 100000,
        "salt": "9a1c0f73e6b25d8841c7e20b?expires=1896091200&",
        "signature": "7e61f88b91aa246cb9de53132614128a286ffc888d384318fb8069ed52f5ce36"
    }
}
