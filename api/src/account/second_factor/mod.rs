//! The endpoints of the second factor. Their responses hold secrets, so they take no `Idempotency-Key`.

pub(super) mod bodies;
mod codes;
mod enrolment;
pub(super) mod log_in;

use guildhall_common::contract::account::{
    AccountRefusal, DisableSecondFactor, EnableSecondFactor, ReplaceRecoveryCodes, SecondFactorDisabled,
    StartSession,
};
use poem::{http::StatusCode, web::Data};
use poem_openapi::OpenApi;

use self::{
    bodies::{CodeAfterPassword, FirstCode, NewSecondFactor, PasswordAndCode, RecoveryCodeList},
    codes::RightCode,
    enrolment::FirstProof,
};
use crate::{
    account::{
        own_password::{OwnPassword, ProvenOwner, prove},
        session::{LogInClient, Session},
    },
    auth::{Caller, Player, RequireRole, SenderOf, second_factor_code::new_recovery_codes, unauthorized},
    http::{
        api_refusal::ApiRefusal, client_address::ClientAddress, client_headers::ClientHeaders,
        command_request::CommandRequest, json::JsonBody, problem::Problem, read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct SecondFactor {
    pub state: State,
}

#[OpenApi(tag = "Tag::Accounts")]
impl SecondFactor {
    /// Start to add a second factor
    ///
    /// Returns a secret for an authenticator app. The account has it only after its first code was sent to
    /// `/accounts/second-factor/enable`.
    #[oai(
        path = "/accounts/second-factor/start",
        method = "post",
        operation_id = "account_start_second_factor"
    )]
    async fn start(
        &self,
        caller: RequireRole<Player>,
        address: Data<&ClientAddress>,
        body: JsonBody<OwnPassword>,
    ) -> Result<ReadResponse<NewSecondFactor>, Problem> {
        let owner = prove(&self.state, &caller.0, *address.0, body.0.password).await?;
        if owner.has_second_factor {
            return Err(refused(AccountRefusal::SecondFactorEnabled));
        }
        ReadResponse::secret(&enrolment::start(&self.state, owner)?)
    }

    /// Enable a second factor
    ///
    /// From now on, log-ins need a code besides the password. All other sessions of the account are ended. Returns ten recovery codes,
    /// which are shown only once. If this response is lost, replace them.
    #[oai(
        path = "/accounts/second-factor/enable",
        method = "post",
        operation_id = "account_enable_second_factor"
    )]
    async fn enable(
        &self,
        caller: SenderOf<EnableSecondFactor>,
        request: CommandRequest,
        body: JsonBody<FirstCode>,
    ) -> Result<ReadResponse<RecoveryCodeList, EnableSecondFactor>, Problem> {
        let FirstCode { enrolment, code } = body.0;
        let account_id = caller.0.account_id()?;
        let (recovery_codes, recovery_hashes) = new_recovery_codes(account_id);
        let FirstProof { proven_hash, sealed_secret, step } =
            enrolment::confirm(&self.state, account_id, &enrolment, code)?;
        let kept_session = Some(caller.0.session_id.ok_or_else(unauthorized)?);
        let command = EnableSecondFactor { proven_hash, sealed_secret, step, recovery_hashes, kept_session };
        self.state.commands.send_and_wait(&request, caller.0.actor, command).await?;
        ReadResponse::secret(&RecoveryCodeList { recovery_codes })
    }

    /// Disable the second factor
    ///
    /// From now on, log-ins need only the password. The code is one of the app or a recovery code.
    #[oai(
        path = "/accounts/second-factor/disable",
        method = "post",
        operation_id = "account_disable_second_factor"
    )]
    async fn disable(
        &self,
        caller: SenderOf<DisableSecondFactor>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<PasswordAndCode>,
    ) -> Result<ReadResponse<SecondFactorDisabled, DisableSecondFactor>, Problem> {
        let (owner, right) = self.prove_both(&caller.0, *address.0, body.0).await?;
        let command = DisableSecondFactor { proven_hash: owner.proven_hash, proof: right.proof.clone() };
        let disabled = self.state.commands.send_and_wait(&request, caller.0.actor, command).await;
        ReadResponse::private(&right.count(disabled)?)
    }

    /// Replace the recovery codes
    ///
    /// Returns ten new ones, which are shown only once. The old ones are invalid. The code is one of the app or a recovery code.
    #[oai(
        path = "/accounts/second-factor/recovery-codes",
        method = "post",
        operation_id = "account_replace_recovery_codes"
    )]
    async fn replace_recovery_codes(
        &self,
        caller: SenderOf<ReplaceRecoveryCodes>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<PasswordAndCode>,
    ) -> Result<ReadResponse<RecoveryCodeList, ReplaceRecoveryCodes>, Problem> {
        let (owner, right) = self.prove_both(&caller.0, *address.0, body.0).await?;
        let (recovery_codes, recovery_hashes) = new_recovery_codes(owner.account_id);
        let command = ReplaceRecoveryCodes {
            proven_hash: owner.proven_hash,
            proof: right.proof.clone(),
            recovery_hashes,
        };
        right.count(self.state.commands.send_and_wait(&request, caller.0.actor, command).await)?;
        ReadResponse::secret(&RecoveryCodeList { recovery_codes })
    }

    /// Log in with a code
    ///
    /// The second step of a log-in, for an account with a second factor. The challenge is valid for five minutes, in the network
    /// that received it. Each code is valid once. An account has five attempts with a wrong code per 15 minutes.
    #[oai(path = "/auth/second-factor", method = "post", operation_id = "auth_second_factor")]
    async fn log_in(
        &self,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        body: JsonBody<CodeAfterPassword>,
    ) -> Result<ReadResponse<Session, StartSession>, Problem> {
        let client = LogInClient { address: *address.0, device: headers.device };
        ReadResponse::secret(&log_in::complete(&self.state, &request, client, body.0).await?)
    }

    /// Verifies the caller's password and code. The response does not say which of them was wrong.
    async fn prove_both(
        &self,
        caller: &Caller,
        address: ClientAddress,
        body: PasswordAndCode,
    ) -> Result<(ProvenOwner, RightCode), Problem> {
        // A wrong password also counts as a failure of the code, because the code is dropped with its attempt.
        let right = codes::verify(&self.state, caller.account_id()?, body.code).await?;
        let owner = match prove(&self.state, caller, address, body.password).await {
            Ok(owner) => owner,
            Err(problem) => {
                let is_wrong = problem.status == StatusCode::FORBIDDEN;
                let problem = if is_wrong { ApiRefusal::WrongPasswordOrCode.into() } else { problem };
                return match right {
                    Some(right) => right.count(Err(problem)),
                    None => Err(problem),
                };
            }
        };
        if !owner.has_second_factor {
            return Err(refused(AccountRefusal::SecondFactorNotEnabled));
        }
        Ok((owner, right.ok_or(ApiRefusal::WrongPasswordOrCode)?))
    }
}

/// The problem of a rule that the api has checked before the worker.
fn refused(refusal: AccountRefusal) -> Problem {
    use guildhall_common::contract::command::Refusal;
    refusal.refused().into()
}
