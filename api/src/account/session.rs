//! Sessions: their start after a log-in, the rotation of their refresh tokens, and their end.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Utc;
use guildhall_common::{
    contract::{
        account::{
            AccountId, EndSession, RenewedHash, RotateSession, SecondFactorProof, SessionId, StartSession,
        },
        command::Actor,
        secret_hash::hash_secret,
    },
    text_types,
};
use poem::http::StatusCode;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    auth::{
        device::{DeviceHash, DeviceToken},
        password::Password,
        unauthorized,
    },
    http::{client_address::ClientAddress, command_request::CommandRequest, problem::Problem},
    state::State,
};

text_types! {
    /// The account's name or e-mail address. An imported account may have the name of the game, too.
    Login { 1 ..= 254, guildhall_common::contract::values::LINE, "mira" }
    /// The refresh token that came with the access token.
    RefreshToken { 43 ..= 43, "^[A-Za-z0-9_-]+$", "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
}

/// The name or the e-mail address of an account, and its password.
#[derive(Debug, Clone, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(super) struct Credentials {
    pub(super) login: Login,
    pub(super) password: Password,
    /// The `device_token` of an earlier log-in. With it, failed log-ins of strangers do not delay this client.
    pub(super) device_token: Option<DeviceToken>,
}

impl Credentials {
    /// The same log-in on this device.
    pub(super) fn of_device(self, device_token: Option<DeviceToken>) -> Self {
        Self { device_token: device_token.or(self.device_token), ..self }
    }
}

/// A refresh token.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(super) struct TokenRefresh {
    pub refresh_token: RefreshToken,
}

/// The tokens of a session.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Session {
    /// Send it as `Authorization: Bearer TOKEN`.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// The number of seconds until the access token expires.
    pub expires_in: u64,
    /// Keep it secret. It can be used once, to get the next tokens.
    pub refresh_token: String,
    pub account_id: AccountId,
    /// After a log-in: keep it, also after a log-out, and send it with the next log-in. Then failed log-ins of strangers do not
    /// delay this client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_token: Option<String>,
}

/// The client of a log-in or renewal.
#[derive(Clone)]
pub(super) struct LogInClient {
    pub(super) address: ClientAddress,
    /// Its `User-Agent`.
    pub(super) device: String,
}

/// A log-in that has proved all that its account requires.
pub(super) struct CompleteLogIn {
    pub(super) account_id: AccountId,
    /// SHA-256 of the stored hash of the password, in hex.
    pub(super) proven_hash: String,
    pub(super) device_token: String,
    /// None if the account has no second factor.
    pub(super) second_factor: Option<SecondFactorProof>,
    /// Whether the next log-ins with the device token need no code.
    pub(super) trust_device: bool,
    pub(super) renewed_hash: Option<RenewedHash>,
}

/// Starts a session.
///
/// # Errors
/// Those of the command.
pub(super) async fn open(
    state: &State,
    request: &CommandRequest,
    client: LogInClient,
    log_in: CompleteLogIn,
) -> Result<Session, Problem> {
    let CompleteLogIn { account_id, proven_hash, device_token, second_factor, trust_device, renewed_hash } =
        log_in;
    let network = client.address.network();
    let networks = DeviceHash::of_network(&state.commands.secrets, network);
    let device = DeviceHash::of(&device_token);
    let (refresh_token, token_hash) = new_refresh_token();
    let session_id = SessionId::from(Uuid::now_v7());
    let command = StartSession {
        account_id,
        session_id,
        token_hash,
        expires_at: Utc::now() + state.refresh_lifetime,
        clients: networks.iter().take(1).chain([&device]).map(DeviceHash::hex).collect(),
        device: client.device,
        network: network.to_string(),
        proven_hash: Some(proven_hash),
        second_factor,
        device_to_trust: trust_device.then(|| device.hex()),
        renewed_hash,
    };
    state.commands.send_and_wait(request, Actor::Account(account_id), command).await?;
    let session = session(state, account_id, session_id, refresh_token)?;
    Ok(Session { device_token: Some(device_token), ..session })
}

/// Replaces a refresh token, and returns the next tokens of its session.
///
/// # Errors
/// 401 when the token is unknown or was used before, and those of the command.
pub(super) async fn rotate(
    state: &State,
    request: &CommandRequest,
    client: LogInClient,
    presented: &RefreshToken,
) -> Result<Session, Problem> {
    let next = state.commands.secrets.next_refresh_tokens(presented);
    let next: Vec<String> = next.iter().map(|token| URL_SAFE_NO_PAD.encode(token)).collect();
    let mut hashes = next.iter().map(hash_secret);
    let command = RotateSession {
        presented_hash: hash_secret(presented.as_bytes()),
        next_hash: hashes.next().unwrap_or_default(),
        expires_at: Utc::now() + state.refresh_lifetime,
        older_next_hashes: hashes.collect(),
        device: client.device,
        network: client.address.network().to_string(),
    };
    match state.commands.send_and_wait(request, Actor::Anonymous, command).await {
        Ok(rotated) if rotated.fresh => {
            let is_next =
                |token: &&String| rotated.next_hash.as_ref().is_some_and(|next| hash_secret(token) == *next);
            let refresh_token = next.iter().find(is_next).ok_or_else(unauthorized)?.clone();
            session(state, rotated.account_id, rotated.session_id, refresh_token)
        }
        Ok(_) => {
            let detail = "This refresh token was used before, so the session is ended. Log in again.";
            Err(Problem::new(StatusCode::UNAUTHORIZED, "refresh_token_reused", detail))
        }
        Err(problem) if problem.status == StatusCode::NOT_FOUND => Err(unauthorized()),
        Err(problem) => Err(problem),
    }
}

/// Ends the session of a refresh token. It is no error if it has already ended.
///
/// # Errors
/// 503 if Postgres does not respond, and those of the command.
pub(super) async fn end(
    state: &State,
    request: &CommandRequest,
    refresh_token: &RefreshToken,
) -> Result<(), Problem> {
    let found = sqlx::query!(
        r#"select session_id as "session_id: SessionId", account_id as "account_id: AccountId"
           from refresh_tokens join sessions using (session_id)
           where token_hash = decode($1, 'hex') and ended_at is null"#,
        hash_secret(refresh_token.as_bytes()),
    );
    let Some(session) = found.fetch_optional(&state.database).await? else { return Ok(()) };
    let (actor, command) =
        (Actor::Account(session.account_id), EndSession { session_id: session.session_id });
    match state.commands.send_and_wait(request, actor, command).await {
        Err(problem) if problem.status != StatusCode::NOT_FOUND => Err(problem),
        _ => Ok(()),
    }
}

fn session(
    state: &State,
    account_id: AccountId,
    session_id: SessionId,
    refresh_token: String,
) -> Result<Session, Problem> {
    Ok(Session {
        access_token: state.tokens.issue(account_id, session_id)?,
        token_type: "Bearer".to_owned(),
        expires_in: state.tokens.lifetime().as_secs(),
        refresh_token,
        account_id,
        device_token: None,
    })
}

/// A token of 256 random bits, and the hash that is stored.
fn new_refresh_token() -> (String, String) {
    let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    let hash = hash_secret(&token);
    (token, hash)
}

guildhall_common::examples! {
    Session {
        "access_token": "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.e30.c2ln", "token_type": "Bearer", "expires_in": 900,
        "refresh_token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v", "account_id": 3,
        "device_token": "q0cJm7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v"
    }
}
