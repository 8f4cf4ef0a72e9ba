//! Uses up what proves a second factor, so that no code works twice.

use guildhall_common::contract::{
    account::{AcceptedStep, AccountId, AccountRefusal, SecondFactorProof, StartSession},
    command::Failure,
};
use serde_json::json;

use crate::{
    account::{
        known_clients::is_trusted,
        owner::{Owner, in_words},
    },
    engine::context::Context,
    mail::MailKind,
};

/// Checks that a log-in has the second factor of its account, if there is one.
///
/// The api has asked for it. The account may have enabled it since.
///
/// # Errors
/// The proof is missing, was used before, or is not valid any more.
pub(super) async fn prove_log_in(
    cx: &mut Context<'_>,
    command: &StartSession,
    owner: &Owner,
) -> Result<(), Failure> {
    if !owner.has_second_factor {
        return Ok(());
    }
    let account_id = command.account_id;
    let proof = command.second_factor.as_ref().ok_or(AccountRefusal::SecondFactorRequired)?;
    use_proof(cx, account_id, proof).await?;
    Ok(tell_about_recovery_code(cx, account_id, owner, proof).await?)
}

/// Uses up a proof of the second factor of an account that has one.
///
/// # Errors
/// It was used before, or is not valid any more.
pub(super) async fn use_proof(
    cx: &mut Context<'_>,
    account_id: AccountId,
    proof: &SecondFactorProof,
) -> Result<(), Failure> {
    let (is_valid, refusal) = match proof {
        SecondFactorProof::Step(accepted) => {
            (use_step(cx, account_id, accepted).await?, AccountRefusal::SecondFactorUsed)
        }
        SecondFactorProof::RecoveryHash(hash) => {
            (use_recovery_code(cx, account_id, hash).await?, AccountRefusal::SecondFactorUsed)
        }
        SecondFactorProof::TrustedDevice(device) => {
            (is_trusted(cx, account_id, device).await?, AccountRefusal::SecondFactorRequired)
        }
    };
    if is_valid { Ok(()) } else { Err(refusal.into()) }
}

/// Stores the step of a code. Returns false if this step or a later one was accepted before, or if the account has another
/// secret since the api has verified the code.
async fn use_step(
    cx: &mut Context<'_>,
    account_id: AccountId,
    accepted: &AcceptedStep,
) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "update accounts set second_factor_last_step = $2,
                second_factor = coalesce(decode($4, 'hex'), second_factor)
         where account_id = $1 and second_factor_last_step < $2 and sha256(second_factor) = decode($3, 'hex')",
        account_id.get(),
        accepted.step,
        accepted.sealed_hash,
        accepted.resealed_secret,
    );
    Ok(updated.execute(&mut *cx.db).await?.rows_affected() > 0)
}

/// Deletes a recovery code. Returns false if there is none.
async fn use_recovery_code(cx: &mut Context<'_>, account_id: AccountId, hash: &str) -> sqlx::Result<bool> {
    let deleted = sqlx::query!(
        "delete from recovery_codes where account_id = $1 and code_hash = decode($2, 'hex')",
        account_id.get(),
        hash,
    );
    Ok(deleted.execute(&mut *cx.db).await?.rows_affected() > 0)
}

/// Sends a mail to the owner if the proof is a recovery code. The mail says how many are left.
pub(super) async fn tell_about_recovery_code(
    cx: &mut Context<'_>,
    account_id: AccountId,
    owner: &Owner,
    proof: &SecondFactorProof,
) -> sqlx::Result<()> {
    if !matches!(proof, SecondFactorProof::RecoveryHash(_)) {
        return Ok(());
    }
    let left = sqlx::query_scalar!(
        r#"select count(*) as "left!" from recovery_codes where account_id = $1"#,
        account_id.get(),
    );
    let left = left.fetch_one(&mut *cx.db).await?;
    let details = json!({ "at": in_words(cx.now), "codes_left": left.to_string() });
    owner.tell(cx, MailKind::RecoveryCodeUsed, details).await
}
