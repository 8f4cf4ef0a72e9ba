//! The endpoints of e-mail addresses, and the bodies of their requests.

use guildhall_common::{
    contract::{
        account::{
            ChangeEmail, Email, EmailVerified, ResendVerification, UndoEmailChange, VerifyEmail,
            VerifyEmailCode,
        },
        secret_hash::{hash_code, hash_secret},
    },
    text_types,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    account::own_password::{ProvenOwner, send_proven},
    auth::{SenderOf, password::Password},
    http::{
        api_refusal::ApiRefusal, client_address::ClientAddress, command_request::CommandRequest,
        command_response::CommandResponse, json::JsonBody, problem::Problem, read_response::ReadResponse,
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

pub(crate) struct AccountEmail {
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

#[OpenApi(tag = "Tag::Accounts")]
impl AccountEmail {
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
}

guildhall_common::examples! {
    PresentedMailToken { "token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
    PresentedMailCode { "code": "12345678" }
    NewEmail { "email": "new@example.org", "password": "amber lantern harbour" }
}
