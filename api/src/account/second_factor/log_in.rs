//! The second step of a log-in.

use guildhall_common::contract::account::AccountId;
use poem::http::StatusCode;

use crate::{
    account::{
        own_password::proven_hash,
        second_factor::{bodies::CodeAfterPassword, codes},
        session::{self, CompleteLogIn, LogInClient, Session},
    },
    auth::{
        challenge::{PendingLogIn, invalid_challenge},
        device::new_device_token,
    },
    http::{command_request::CommandRequest, problem::Problem},
    state::State,
};

/// Starts the session of a challenge if the code is right.
///
/// # Errors
/// 401 if the challenge is not valid or the code is wrong, 429 after too many wrong codes, and those of the command.
pub(in crate::account) async fn complete(
    state: &State,
    request: &CommandRequest,
    client: LogInClient,
    body: CodeAfterPassword,
) -> Result<Session, Problem> {
    let CodeAfterPassword { challenge, code, trust_device } = body;
    let PendingLogIn { account_id, proven_hash, device_token, renewed_hash, .. } =
        PendingLogIn::open(&state.commands.secrets, &challenge, client.address.network())?;
    if !is_password_unchanged(state, account_id, &proven_hash).await? {
        return Err(invalid_challenge());
    }
    let right = codes::verify(state, account_id, code).await?.ok_or_else(|| {
        let detail = "This code is wrong. Enter the current code of the app, or an unused recovery code.";
        Problem::new(StatusCode::UNAUTHORIZED, "wrong_code", detail)
    })?;
    let log_in = CompleteLogIn {
        account_id,
        proven_hash,
        // The client chose its token. A token that replaces a code must be random.
        device_token: if trust_device { new_device_token() } else { device_token },
        second_factor: Some(right.proof.clone()),
        trust_device,
        renewed_hash,
    };
    right.count(session::open(state, request, client, log_in).await)
}

async fn is_password_unchanged(state: &State, account_id: AccountId, proven: &str) -> Result<bool, Problem> {
    let hash =
        sqlx::query_scalar!("select password_hash from accounts where account_id = $1", account_id.get());
    let hash = hash.fetch_optional(&state.database).await?;
    Ok(hash.is_some_and(|hash| proven_hash(&hash) == proven))
}
