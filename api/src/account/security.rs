//! The endpoints of passwords and e-mail addresses, and the bodies of their requests.

use guildhall_common::{
    contract::{
        account::{
            AccountRefusal, ChangeEmail, ChangeLanguage, ChangePassword, Email, EmailVerified, Language,
            RequestPasswordReset, ResendVerification, ResetPassword, UndoEmailChange, VerifyEmail,
            VerifyEmailCode,
        },
        command::{Actor, Refusal},
        secret_hash::{hash_code, hash_secret},
    },
    text_types,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi, param::Header};
use serde::Deserialize;

use crate::{
    account::own_password::{ProvenOwner, send_proven},
    auth::{SenderOf, new_password::NewPassword, password::Password, unauthorized},
    captcha::{required_captcha::CaptchaSolution, settings::CaptchaPlace},
    http::{
        api_refusal::ApiRefusal,
        client_address::ClientAddress,
        command_request::{CommandRequest, Prefer},
        command_response::CommandResponse,
        json::JsonBody,
        problem::Problem,
        read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

text_types! {
    /// The token in the link of a mail.
    MailToken { 43 ..= 43, "^[A-Za-z0-9_-]+$", "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
    /// The code in a mail: eight digits.
    MailCode { 8 ..= 8, "^[0-9]+$", "12345678" }
}

pub(crate) struct AccountSecurity {
    pub state: State,
}

/// The token of a mail.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PresentedMailToken {
    pub(super) token: MailToken,
}

/// The code of a mail.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PresentedMailCode {
    code: MailCode,
}

/// Another e-mail address, and the password of the account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewEmail {
    email: Email,
    password: Password,
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

/// The language of mails.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewLanguage {
    language: Language,
}

#[OpenApi(tag = "Tag::Accounts")]
impl AccountSecurity {
    /// Send the verification mail again
    ///
    /// The mail has a link and a code. An address receives at most five such mails per hour.
    #[oai(
        path = "/accounts/resend-verification",
        method = "post",
        operation_id = "account_resend_verification"
    )]
    async fn resend_verification(
        &self,
        caller: SenderOf<ResendVerification>,
        request: CommandRequest,
    ) -> Result<CommandResponse<ResendVerification>, Problem> {
        self.state.commands.send(&request, &caller, ResendVerification {}).await
    }

    /// Verify an e-mail address by its link
    ///
    /// The page that the link opens sends the token after `#token=`. After a change of the address, the account has the new address
    /// from now on, and the old address receives a link that undoes the change.
    #[oai(path = "/accounts/verify-email", method = "post", operation_id = "account_verify_email")]
    async fn verify_email(
        &self,
        request: CommandRequest,
        body: JsonBody<PresentedMailToken>,
    ) -> Result<CommandResponse<VerifyEmail>, Problem> {
        let command = VerifyEmail { token_hash: hash_secret(body.token.as_bytes()) };
        self.state.commands.send_from_visitor(&request, command).await
    }

    /// Verify an e-mail address by its code
    ///
    /// For a player who reads the mail on another device. After five wrong codes, only the link of the mail is valid. A code is valid
    /// once.
    #[oai(path = "/accounts/verify-email-code", method = "post", operation_id = "account_verify_email_code")]
    async fn verify_email_code(
        &self,
        caller: SenderOf<VerifyEmailCode>,
        request: CommandRequest,
        body: JsonBody<PresentedMailCode>,
    ) -> Result<ReadResponse<EmailVerified, VerifyEmailCode>, Problem> {
        let account_id = caller.0.account_id()?;
        let command = VerifyEmailCode { code_hash: hash_code(account_id, &body.code) };
        let verified = self.state.commands.send_for_output(&request, caller.0.actor, command).await?;
        ReadResponse::private(&verified.ok_or(ApiRefusal::WrongMailCode)?)
    }

    /// Change my e-mail address
    ///
    /// The new address receives a link. The account keeps its address until the new one is verified. A new password cancels the
    /// change.
    #[oai(path = "/accounts/change-email", method = "post", operation_id = "account_change_email")]
    async fn change_email(
        &self,
        caller: SenderOf<ChangeEmail>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<NewEmail>,
    ) -> Result<CommandResponse<ChangeEmail>, Problem> {
        let NewEmail { email, password } = body.0;
        let command = async |owner: ProvenOwner| Ok(ChangeEmail { email, proven_hash: owner.proven_hash });
        send_proven(&self.state, &request, (&caller, *address.0), password, command).await
    }

    /// Undo a change of an e-mail address
    ///
    /// The old address has received a link with the token. It is valid for a week. All sessions of the account are ended, the
    /// links of later changes and of a copy of the data become invalid, and a deletion is cancelled. The password is not valid any
    /// more: the address receives a link that sets another one.
    #[oai(path = "/accounts/undo-email-change", method = "post", operation_id = "account_undo_email_change")]
    async fn undo_email_change(
        &self,
        request: CommandRequest,
        body: JsonBody<PresentedMailToken>,
    ) -> Result<CommandResponse<UndoEmailChange>, Problem> {
        let command = UndoEmailChange { token_hash: hash_secret(body.token.as_bytes()) };
        self.state.commands.send_from_visitor(&request, command).await
    }

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
        let request = CommandRequest {
            idempotency_key: None,
            prefer: Prefer { respond_async: true, wait: None },
            ..request
        };
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

    /// Change the language of my mails
    ///
    /// At registration it is the language of the client, if the site supports it.
    #[oai(path = "/accounts/change-language", method = "post", operation_id = "account_change_language")]
    async fn change_language(
        &self,
        caller: SenderOf<ChangeLanguage>,
        request: CommandRequest,
        body: JsonBody<NewLanguage>,
    ) -> Result<CommandResponse<ChangeLanguage>, Problem> {
        let command = ChangeLanguage { language: body.language };
        self.state.commands.send(&request, &caller, command).await
    }
}

impl AccountSecurity {
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
    PresentedMailToken { "token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
    PresentedMailCode { "code": "12345678" }
    NewEmail { "email": "new@example.org", "password": "amber lantern harbour" }
    ForgottenPassword { "email": "mira@example.org" }
    PasswordAfterReset { "token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v", "password": "amber lantern harbour" }
    PasswordChange { "old_password": "amber lantern harbour", "password": "velvet compass orchard" }
    NewLanguage { "language": "pt" }
}
