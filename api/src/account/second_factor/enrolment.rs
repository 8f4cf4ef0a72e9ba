//! The secret of an authenticator app before it is enabled. The client keeps it until it sends the first code.

use chrono::{TimeDelta, Utc};
use guildhall_common::{contract::account::AccountId, payment_codes::Qr};
use serde::{Deserialize, Serialize};

use crate::{
    account::{
        own_password::ProvenOwner,
        second_factor::bodies::{NewSecondFactor, SecondFactorEnrolment},
    },
    auth::{
        sealing::SealPurpose,
        second_factor_code::{PresentedCode, SecondFactorCode},
        totp::TotpSecret,
    },
    http::{api_refusal::ApiRefusal, problem::Problem},
    state::State,
};

/// The time to add the secret to an app.
const LIFETIME: TimeDelta = TimeDelta::minutes(15);

/// A secret that its owner has not enabled yet.
#[derive(Serialize, Deserialize)]
struct PendingSecret {
    secret: Vec<u8>,
    /// SHA-256 of the stored hash of the password, in hex. Another password makes the enrolment invalid.
    proven_hash: String,
}

/// Makes a secret for an account.
pub(super) fn start(state: &State, owner: ProvenOwner) -> Result<NewSecondFactor, Problem> {
    let secret = TotpSecret::random();
    let uri = secret.uri(&state.site_name, &owner.names[0]);
    let qr = Qr::new(&uri).map_err(|error| Problem::internal("a URI does not fit a QR code", &error))?;
    let pending = PendingSecret { secret: secret.as_bytes().to_vec(), proven_hash: owner.proven_hash };
    let owner = owner.account_id.to_string();
    Ok(NewSecondFactor {
        secret: secret.base32(),
        qrcode_svg: qr.svg(),
        uri,
        enrolment: state.commands.secrets.seal_for_client(SealPurpose::Enrolment, &owner, pending, LIFETIME),
    })
}

/// What proves that the owner has added the secret to an app.
pub(super) struct FirstProof {
    pub(super) proven_hash: String,
    /// The encrypted secret, in hex.
    pub(super) sealed_secret: String,
    pub(super) step: i64,
}

/// Verifies the first code.
///
/// # Errors
/// 403 if the enrolment has expired or is not of this account, or if the code is wrong.
pub(super) fn confirm(
    state: &State,
    account_id: AccountId,
    enrolment: &SecondFactorEnrolment,
    code: SecondFactorCode,
) -> Result<FirstProof, Problem> {
    let (secrets, owner) = (&state.commands.secrets, account_id.to_string());
    let pending: Option<PendingSecret> = secrets.open_from_client(SealPurpose::Enrolment, &owner, enrolment);
    let PendingSecret { secret, proven_hash } = pending.ok_or(ApiRefusal::InvalidEnrolment)?;
    let secret = TotpSecret::from_bytes(&secret).ok_or(ApiRefusal::InvalidEnrolment)?;
    let step = match code.into() {
        PresentedCode::App(code) => secret.matching_step(&code, Utc::now()),
        PresentedCode::Recovery(_) => None,
    };
    let step = step.ok_or(ApiRefusal::WrongAppCode)?;
    let sealed_secret = hex::encode(secrets.seal(SealPurpose::SecondFactor, &owner, secret.as_bytes()));
    Ok(FirstProof { proven_hash, sealed_secret, step })
}
