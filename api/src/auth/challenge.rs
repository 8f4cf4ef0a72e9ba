//! A log-in whose password was right and that still needs a code. The client keeps it, and cannot read it.

use std::net::IpAddr;

use chrono::TimeDelta;
use guildhall_common::{
    contract::account::{AccountId, RenewedHash},
    text_types,
};
use poem::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::{
    auth::{keys::Secrets, sealing::SealPurpose},
    http::problem::{Challenge, LogInRefusal, Problem},
};

/// The time to enter a code.
const LIFETIME: TimeDelta = TimeDelta::minutes(5);

text_types! {
    /// The `challenge` of the response that asks for a code.
    LogInChallenge { 1 ..= 1000, "^[A-Za-z0-9_-]+$", "c2VhbGVkLWNoYWxsZW5nZQ" }
}

/// A log-in with the right password.
#[derive(Serialize, Deserialize)]
pub(crate) struct PendingLogIn {
    pub(crate) account_id: AccountId,
    /// SHA-256 of the stored hash of the password, in hex. Another password makes the challenge invalid.
    pub(crate) proven_hash: String,
    /// The token of the client: the one it presented, or a new one.
    pub(crate) device_token: String,
    /// A hash of the password with the current parameters, if the stored hash has weaker ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) renewed_hash: Option<RenewedHash>,
    pub(crate) network: IpAddr,
}

impl PendingLogIn {
    /// The response that asks for a code.
    pub(crate) fn into_problem(self, secrets: &Secrets) -> Problem {
        let detail = "The account has a second factor. Send the code and the challenge to `second-factor` below this path.";
        let challenge = Challenge(secrets.seal_for_client(SealPurpose::Challenge, "", self, LIFETIME));
        Problem {
            log_in: Some(Box::new(LogInRefusal::Challenge(challenge))),
            ..Problem::new(StatusCode::UNAUTHORIZED, "second_factor_required", detail)
        }
    }

    /// The log-in of a challenge.
    ///
    /// # Errors
    /// 401 if the challenge has expired, is not from this site, or was given to another network.
    pub(crate) fn open(
        secrets: &Secrets,
        challenge: &LogInChallenge,
        network: IpAddr,
    ) -> Result<Self, Problem> {
        let pending: Option<Self> = secrets.open_from_client(SealPurpose::Challenge, "", challenge);
        pending.filter(|pending| pending.network == network).ok_or_else(invalid_challenge)
    }
}

/// 401: the log-in must start again.
pub(crate) fn invalid_challenge() -> Problem {
    let detail = "The challenge is not valid or has expired. Log in again.";
    Problem::new(StatusCode::UNAUTHORIZED, "invalid_challenge", detail)
}
