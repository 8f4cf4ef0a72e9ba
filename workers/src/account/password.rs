//! Recovers and changes passwords.

use guildhall_common::contract::{
    account::{
        AccountId, ChangePassword, PasswordChanged, PasswordReset, PasswordResetRequested,
        RequestPasswordReset, ResetPassword,
    },
    command::Failure,
};
use serde_json::json;

use crate::{
    account::{
        known_clients::distrust_all,
        owner::{Owner, in_words},
        session::end_all,
        verify_email::cancel_email_changes,
    },
    engine::{context::Context, rule::Rule},
    mail::{MailKind, MailRecipient, NewMail, TokenPurpose, take_token},
};

impl Rule for RequestPasswordReset {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<PasswordResetRequested, Failure> {
        if let Some(owner) = MailRecipient::find_verified(cx, &self.email).await? {
            cx.send_mail(NewMail::new(MailKind::ResetPassword, &owner)).await?;
        }
        Ok(PasswordResetRequested { email: self.email.to_string() })
    }
}

impl Rule for ResetPassword {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PasswordReset, Failure> {
        let token = take_token(cx, &self.token_hash, TokenPurpose::ResetPassword).await?;
        let owner = Owner::lock(cx, token.account_id).await?;
        set_password(cx, token.account_id, &owner, &self.password_hash).await?;
        end_all(cx, token.account_id, None).await?;
        Ok(PasswordReset { account_id: token.account_id })
    }
}

impl Rule for ChangePassword {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<PasswordChanged, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        set_password(cx, account_id, &owner, &self.password_hash).await?;
        let ended_sessions = end_all(cx, account_id, Some(self.kept_session)).await?;
        Ok(PasswordChanged { ended_sessions })
    }
}

/// Stores a new password, makes older links invalid that set one or give the account another address, and tells the owner. The account
/// keeps its second factor, and trusts no device any more.
async fn set_password(
    cx: &mut Context<'_>,
    account_id: AccountId,
    owner: &Owner,
    password_hash: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update accounts set password_hash = $2, password_expired = false where account_id = $1",
        account_id.get(),
        password_hash
    )
    .execute(&mut *cx.db)
    .await?;
    sqlx::query!(
        "delete from mail_tokens where account_id = $1 and purpose = 'reset_password'",
        account_id.get()
    )
    .execute(&mut *cx.db)
    .await?;
    cancel_email_changes(cx, account_id).await?;
    distrust_all(cx, account_id).await?;
    owner.tell(cx, MailKind::PasswordChanged, json!({ "changed_at": in_words(cx.now) })).await
}

/// Makes the password invalid until a link of a mail sets another one. Links that give the account another address become invalid, too.
pub(super) async fn expire_password(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!("update accounts set password_expired = true where account_id = $1", account_id.get())
        .execute(&mut *cx.db)
        .await?;
    cancel_email_changes(cx, account_id).await
}
