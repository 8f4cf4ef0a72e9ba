//! The log-in with a password.

use guildhall_common::contract::{
    account::{AccountRefusal, RenewedHash, SecondFactorProof},
    command::Refusal,
};
use poem::http::StatusCode;

use crate::{
    account::{
        found_account::find_account,
        own_password::proven_hash,
        session::{CompleteLogIn, Credentials, LogInClient, Session, open},
    },
    auth::{
        challenge::PendingLogIn,
        device::{DeviceHash, new_device_token},
        log_in_limits::Familiarity,
        password_queue::Priority,
    },
    http::{command_request::CommandRequest, problem::Problem, rate_limits::too_many_requests},
    state::State,
};

/// Starts a session if the password is correct and the account needs no code.
///
/// # Errors
/// 401 when the password is wrong or the account needs a code, 429 after too many failures, and those of the command.
pub(super) async fn start(
    state: &State,
    request: &CommandRequest,
    client: LogInClient,
    credentials: Credentials,
) -> Result<Session, Problem> {
    match try_to_start(state, request, client.clone(), credentials.clone()).await {
        // Another log-in may have renewed the hash of the same password meanwhile.
        Err(problem) if problem.code == AccountRefusal::PasswordHasChanged.refused().code => {
            Box::pin(try_to_start(state, request, client, credentials)).await
        }
        started => started,
    }
}

async fn try_to_start(
    state: &State,
    request: &CommandRequest,
    client: LogInClient,
    credentials: Credentials,
) -> Result<Session, Problem> {
    let Credentials { login, password, device_token } = credentials;
    let network = client.address.network();
    let device_token = device_token.map(|token| token.to_string());
    let device = device_token.as_deref().map(DeviceHash::of);
    let networks = DeviceHash::of_network(&state.commands.secrets, network);
    let account = find_account(&state.database, &login.key(), device, &networks).await?;
    let familiarity = account.as_ref().map_or(Familiarity::Unknown, |account| account.familiarity(device));
    let attempt = state.log_in_limits.start(&login.key(), network, familiarity);
    let attempt = attempt.map_err(|failures| too_many_requests(failures.0))?;
    let priority = match familiarity {
        Familiarity::Unknown => Priority::Other,
        Familiarity::KnownDevice(_) | Familiarity::KnownNetwork => Priority::KnownClient,
    };
    let hash = account.as_ref().map(|account| account.password_hash.clone());
    let verified = state.passwords.verify(password.clone(), hash, priority).await;
    let (attempt, is_correct) = attempt.unless_failed(verified)?;
    let Some(account) = account.filter(|_| is_correct) else {
        let detail = "The name, the e-mail address or the password is wrong.";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong_credentials", detail));
    };
    attempt.succeeded();
    let account_id = account.account_id;
    account.standing.check()?;
    let proven_hash = proven_hash(&account.password_hash);
    let renewed_hash = state.passwords.renew(password, &account.password_hash).await?;
    let renewed_hash =
        renewed_hash.map(|password_hash| RenewedHash { proven_hash: proven_hash.clone(), password_hash });
    let device_token = device_token.unwrap_or_else(new_device_token);
    let second_factor = match device.filter(|_| account.is_trusted_device) {
        _ if !account.has_second_factor => None,
        Some(device) => Some(SecondFactorProof::TrustedDevice(device.hex())),
        None => {
            let pending = PendingLogIn { account_id, proven_hash, device_token, renewed_hash, network };
            return Err(pending.into_problem(&state.commands.secrets));
        }
    };
    let log_in = CompleteLogIn {
        account_id,
        proven_hash,
        device_token,
        second_factor,
        trust_device: false,
        renewed_hash,
    };
    open(state, request, client, log_in).await
}
