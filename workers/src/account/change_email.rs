//! Changes the e-mail address of an account, and undoes a change.

use guildhall_common::contract::{
    account::{AccountRefusal, ChangeEmail, EmailChangeRequested, EmailChangeUndone, UndoEmailChange},
    command::Failure,
};

use crate::{
    account::{
        deletion,
        known_clients::distrust_all,
        owner::Owner,
        password::expire_password,
        session::end_all,
        verify_email::{check_address, send_or_refuse, set_verified_email},
    },
    engine::{context::Context, rule::Rule},
    mail::{MailKind, NewMail, TokenPurpose, UsedToken, take_token},
};

impl Rule for ChangeEmail {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<EmailChangeRequested, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        if owner.email == *self.email {
            return Err(AccountRefusal::EmailUnchanged.into());
        }
        check_address(&self.email)?;
        send_or_refuse(cx, MailKind::VerifyNewEmail, &owner.recipient_at(&self.email)).await?;
        Ok(EmailChangeRequested { new_email: self.email.to_string() })
    }
}

impl Rule for UndoEmailChange {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<EmailChangeUndone, Failure> {
        let token = take_token(cx, &self.token_hash, TokenPurpose::UndoEmailChange).await?;
        let account_id = token.account_id;
        let owner = Owner::lock(cx, account_id).await?;
        set_verified_email(cx, account_id, &token.email).await?;
        // A stranger may know the password: they lose their sessions, and the owner must set another password.
        end_all(cx, account_id, None).await?;
        distrust_all(cx, account_id).await?;
        undo_later_changes(cx, &token).await?;
        deletion::keep_account(cx.db, account_id).await?;
        let to = owner.recipient_at(&token.email);
        let reset = NewMail { is_limited: false, ..NewMail::new(MailKind::ResetPassword, &to) };
        // Without a mail server, the owner could not log in any more.
        if cx.send_mail(reset).await? {
            expire_password(cx, account_id).await?;
        }
        Ok(EmailChangeUndone { account_id, email: token.email })
    }
}

/// Makes links invalid that may have gone to the stranger's address: those that restore an address of a later change, and those of a copy of
/// the data. The links of earlier changes stay valid: if the stranger has one, the owner still has that of the first change.
async fn undo_later_changes(cx: &mut Context<'_>, token: &UsedToken) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from mail_tokens
         where account_id = $1 and (purpose = 'open_export' or purpose = 'undo_email_change' and expires_at > $2)",
        token.account_id.get(),
        token.expires_at,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
