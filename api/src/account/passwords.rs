//! The endpoints that change passwords, and the bodies of their requests.

use guildhall_common::contract::{
    account::{AccountRefusal, ChangePassword, Email, RequestPasswordReset, ResetPassword},
    command::{Actor, Refusal},
    secret_hash::hash_secret,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    account::{
        email::MailToken,
        own_password::{ProvenOwner, send_proven},
    },
    auth::{SenderOf, new_password::NewPassword, password::Password, unauthorized},
    captcha::required_captcha::CaptchaSolution,
    config::CaptchaPlace,
    http::{
        client_address::ClientAddress,
        command_request::{CommandRequest, Prefer},
        command_response::CommandResponse,
        json::JsonBody,
        parameters::Header,
        problem::Problem,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct AccountPasswords {
    pub state: State,
}

/// The verified e-mail address of an account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ForgottenPassword {
    email: Email,
}

/// The token of a mail, and a new password.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PasswordAfterReset {
    token: MailToken,
    password: NewPassword,
}

/// The old and the new password.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PasswordChange {
    old_password: Password,
    password: NewPassword,
}

#[OpenApi(tag = "Tag::Accounts")]
impl AccountPasswords {
    /// Ask for a new password
    ///
    /// If an account has verified this address, the address receives a link. The response is always the same, so it does not show
    /// whether there is an account.
    #[oai(path = "/accounts/forgot-password", method = "post", operation_id = "account_forgot_password")]
    async fn forgot_password(
        &self,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        #[oai(name = "Captcha")] captcha: Header<Option<CaptchaSolution>>,
        body: JsonBody<ForgottenPassword>,
    ) -> Result<CommandResponse<RequestPasswordReset>, Problem> {
        self.state.captchas.require(CaptchaPlace::Recovery, &request, *address.0, captcha.0).await?;
        // The response does not wait for the outcome, because the time until then differs.
        let request = CommandRequest { prefer: Prefer { respond_async: true, wait: None }, ..request };
        let command = RequestPasswordReset { email: body.0.email };
        self.state.commands.send_from_visitor(&request, command).await
    }

    /// Set a new password by a link
    ///
    /// All sessions of the account are ended. The link is valid once, for an hour.
    #[oai(path = "/accounts/reset-password", method = "post", operation_id = "account_reset_password")]
    async fn reset_password(
        &self,
        request: CommandRequest,
        body: JsonBody<PasswordAfterReset>,
    ) -> Result<CommandResponse<ResetPassword>, Problem> {
        let PasswordAfterReset { token, password } = body.0;
        let token_hash = hash_secret(token.as_bytes());
        // An invented token costs no password hash.
        if !self.is_reset_token(&token_hash).await? {
            let first = self.state.commands.find_response(&request, Actor::Anonymous).await?;
            return first.ok_or_else(|| AccountRefusal::TokenNotFound.refused().into());
        }
        let password_hash = self.state.passwords.hash(password, vec![]).await?;
        let command = ResetPassword { token_hash, password_hash };
        self.state.commands.send_from_visitor(&request, command).await
    }

    /// Change my password
    ///
    /// All other sessions of the account are ended.
    #[oai(path = "/accounts/change-password", method = "post", operation_id = "account_change_password")]
    async fn change_password(
        &self,
        caller: SenderOf<ChangePassword>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<PasswordChange>,
    ) -> Result<CommandResponse<ChangePassword>, Problem> {
        let PasswordChange { old_password, password } = body.0;
        let kept_session = caller.0.session_id.ok_or_else(unauthorized)?;
        let command = async |owner: ProvenOwner| {
            let password_hash = self.state.passwords.hash(password, owner.names).await?;
            Ok(ChangePassword { proven_hash: owner.proven_hash, password_hash, kept_session })
        };
        send_proven(&self.state, &request, (&caller, *address.0), old_password, command).await
    }
}

impl AccountPasswords {
    /// Whether a token sets a password at the moment. A worker checks it again.
    async fn is_reset_token(&self, token_hash: &str) -> Result<bool, Problem> {
        let is_valid = sqlx::query_scalar!(
            r#"select exists (
                   select from mail_tokens
                   where token_hash = decode($1, 'hex') and purpose = 'reset_password' and expires_at > now()
               ) as "is_valid!""#,
            token_hash,
        );
        Ok(is_valid.fetch_one(&self.state.database).await?)
    }
}

guildhall_common::examples! {
    ForgottenPassword { "email": "mira@example.org" }
    PasswordAfterReset { "token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v", "password": "amber lantern harbour" }
    PasswordChange { "old_password": "amber lantern harbour", "password": "velvet compass orchard" }
}
