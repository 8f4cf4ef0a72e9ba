//! The proof that the caller knows the password of their account.

use guildhall_common::contract::{account::AccountId, command::Command, secret_hash::hash_secret};
use poem_openapi::Object;
use serde::Deserialize;

use crate::{
    auth::{Caller, SenderOf, password::Password, password_queue::Priority, unauthorized},
    http::{
        api_refusal::ApiRefusal, client_address::ClientAddress, command_request::CommandRequest,
        command_response::CommandResponse, problem::Problem, rate_limits::too_many_requests,
    },
    state::State,
};

/// The password of the account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct OwnPassword {
    pub(super) password: Password,
}

/// The account of a caller who knows its password.
pub(super) struct ProvenOwner {
    /// SHA-256 of the stored hash, in hex. With it, a worker notices that the password was changed meanwhile.
    pub(super) proven_hash: String,
    pub(super) account_id: AccountId,
    pub(super) has_second_factor: bool,
    /// The name and the e-mail address: names that must not be part of a new password.
    pub(super) names: Vec<String>,
}

/// Verifies the caller's password. Wrong ones are limited like log-ins.
///
/// # Errors
/// 403 if it is wrong, and 429 after too many failures.
pub(super) async fn prove(
    state: &State,
    caller: &Caller,
    address: ClientAddress,
    password: Password,
) -> Result<ProvenOwner, Problem> {
    let account_id = caller.account_id()?;
    let attempt = state.log_in_limits.start_proof(account_id, address.network());
    let attempt = attempt.map_err(|failures| too_many_requests(failures.0))?;
    let (attempt, owner) = attempt.unless_failed(verify(state, account_id, password).await)?;
    let owner = owner.ok_or(ApiRefusal::WrongPassword)?;
    attempt.succeeded();
    Ok(owner)
}

/// The owner of an account. None if the password is wrong.
async fn verify(
    state: &State,
    account_id: AccountId,
    password: Password,
) -> Result<Option<ProvenOwner>, Problem> {
    let account = sqlx::query!(
        r#"select name, email, password_hash, second_factor is not null as "has_second_factor!"
           from accounts where account_id = $1"#,
        account_id.get()
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(unauthorized)?;
    let hash = Some(account.password_hash.clone());
    let is_correct = state.passwords.verify(password, hash, Priority::KnownClient).await?;
    Ok(is_correct.then(|| ProvenOwner {
        proven_hash: proven_hash(&account.password_hash),
        account_id,
        has_second_factor: account.has_second_factor,
        names: vec![account.name, account.email],
    }))
}

/// Sends the command of a caller who knows the password of their account. A repeated request gets the first response, also if the password
/// has changed since.
///
/// # Errors
/// As [`prove`], and those of the command.
pub(super) async fn send_proven<C: Command>(
    state: &State,
    request: &CommandRequest,
    (caller, address): (&SenderOf<C>, ClientAddress),
    password: Password,
    command: impl AsyncFnOnce(ProvenOwner) -> Result<C, Problem>,
) -> Result<CommandResponse<C>, Problem> {
    let commands = &state.commands;
    if let Some(first) = commands.find_response(request, caller.0.actor).await? {
        return Ok(first);
    }
    let owner = match prove(state, &caller.0, address, password).await {
        Ok(owner) => owner,
        Err(problem) => {
            // The first request may have changed the password meanwhile.
            let first = commands.find_response(request, caller.0.actor).await?;
            return first.ok_or(problem);
        }
    };
    commands.send(request, caller, command(owner).await?).await
}

/// SHA-256 of the stored hash of a password, in hex.
pub(super) fn proven_hash(password_hash: &str) -> String {
    hash_secret(password_hash)
}

guildhall_common::examples! {
    OwnPassword { "password": "correct horse battery" }
}
