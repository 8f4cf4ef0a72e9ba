//! Verifies the code of an account. Wrong ones are limited.

use chrono::Utc;
use guildhall_common::contract::{
    account::{AcceptedStep, AccountId, SecondFactorProof},
    secret_hash::hash_secret,
};

use crate::{
    auth::{
        log_in_limits::LogInAttempt,
        sealing::SealPurpose,
        second_factor_code::{PresentedCode, RecoveryCode, SecondFactorCode},
        totp::TotpSecret,
    },
    http::{problem::Problem, rate_limits::too_many_requests},
    state::State,
};

/// A code that was right. It counts as a failure until the command that uses it up has succeeded.
pub(super) struct RightCode {
    pub(super) proof: SecondFactorProof,
    attempt: LogInAttempt,
}

impl RightCode {
    /// The result of the command that uses up the code. A command that was not applied through no fault of the client does not
    /// count.
    pub(super) fn count<T>(self, result: Result<T, Problem>) -> Result<T, Problem> {
        if result.as_ref().err().is_none_or(|problem| problem.status.is_server_error()) {
            self.attempt.succeeded();
        }
        result
    }
}

/// Verifies a code. The result is None if it is wrong, or if the account has no second factor.
///
/// # Errors
/// 429 after too many wrong codes.
pub(super) async fn verify(
    state: &State,
    account_id: AccountId,
    code: SecondFactorCode,
) -> Result<Option<RightCode>, Problem> {
    let attempt = state.log_in_limits.start_code(account_id);
    let attempt = attempt.map_err(|failures| too_many_requests(failures.0))?;
    let proof = match code.into() {
        PresentedCode::App(code) => {
            app_code(state, account_id, &code).await.map(|step| step.map(SecondFactorProof::Step))
        }
        PresentedCode::Recovery(code) => recovery_code(state, account_id, &code).await,
    };
    let (attempt, proof) = attempt.unless_failed(proof)?;
    Ok(proof.map(|proof| RightCode { proof, attempt }))
}

async fn app_code(state: &State, account_id: AccountId, code: &str) -> Result<Option<AcceptedStep>, Problem> {
    let sealed = sqlx::query_scalar!(
        r#"select second_factor as "second_factor!" from accounts
           where account_id = $1 and second_factor is not null"#,
        account_id.get(),
    );
    let Some(sealed) = sealed.fetch_optional(&state.database).await? else { return Ok(None) };
    let (secrets, owner) = (&state.commands.secrets, account_id.to_string());
    let Some(opened) = secrets.open(SealPurpose::SecondFactor, &owner, &sealed) else {
        tracing::error!(account.id = %account_id, "no secret of the site decrypts a second factor");
        return Ok(None);
    };
    let step =
        TotpSecret::from_bytes(&opened.value).and_then(|secret| secret.matching_step(code, Utc::now()));
    Ok(step.map(|step| AcceptedStep {
        step,
        sealed_hash: hash_secret(&sealed),
        resealed_secret: (!opened.is_current)
            .then(|| hex::encode(secrets.seal(SealPurpose::SecondFactor, &owner, &opened.value))),
    }))
}

async fn recovery_code(
    state: &State,
    account_id: AccountId,
    code: &RecoveryCode,
) -> Result<Option<SecondFactorProof>, Problem> {
    let hash = code.hash(account_id);
    let is_unused = sqlx::query_scalar!(
        r#"select exists (
               select from recovery_codes where account_id = $1 and code_hash = decode($2, 'hex')
           ) as "is_unused!""#,
        account_id.get(),
        hash,
    );
    Ok(is_unused.fetch_one(&state.database).await?.then_some(SecondFactorProof::RecoveryHash(hash)))
}
