//! Verifies e-mail addresses.

use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, EmailVerified, ResendVerification, VerificationSent, VerifyEmail,
        VerifyEmailCode,
    },
    command::{Failure, OnConstraint},
};

use crate::{
    account::owner::Owner,
    engine::{context::Context, rule::Rule},
    mail::{MailKind, MailRecipient, NewMail, TokenPurpose, is_deliverable, take_token},
};

/// The number of wrong codes after which a mail's code is invalid. Its link still works.
const WRONG_CODES: i32 = 5;

impl Rule for ResendVerification {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<VerificationSent, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        if owner.is_verified {
            return Err(AccountRefusal::EmailAlreadyVerified.into());
        }
        send_or_refuse(cx, MailKind::VerifyEmail, &owner.recipient()).await?;
        Ok(VerificationSent { email: owner.email })
    }
}

/// Refuses a new address that no mail server accepts, such as `a..b@example.org`. The schema of an address accepts more.
///
/// # Errors
/// Mails cannot be sent to the address.
pub(super) fn check_address(email: &str) -> Result<(), Failure> {
    if is_deliverable(email) { Ok(()) } else { Err(AccountRefusal::EmailNotAccepted.into()) }
}

/// Sends a link that verifies an address, for a caller who waits for it.
///
/// # Errors
/// The site sends no mails, the account has requested too many, or the address has received too many.
pub(super) async fn send_or_refuse(
    cx: &mut Context<'_>,
    kind: MailKind,
    to: &MailRecipient,
) -> Result<(), Failure> {
    if cx.services.mailer.is_none() {
        return Err(AccountRefusal::MailNotConfigured.into());
    }
    cx.check_requested_mails(to.account_id).await?;
    if !send_verification(cx, kind, to).await? {
        return Err(AccountRefusal::TooManyMails.into());
    }
    Ok(())
}

/// Sends a link that verifies an address. If another account has verified it, its owner gets a mail about that instead. So only
/// the owner of an address learns that it has an account.
pub(super) async fn send_verification(
    cx: &mut Context<'_>,
    kind: MailKind,
    to: &MailRecipient,
) -> sqlx::Result<bool> {
    let owner = MailRecipient::find_verified(cx, &to.email).await?;
    match owner.filter(|owner| owner.account_id != to.account_id) {
        Some(owner) => {
            let requested_by = Some(to.account_id);
            cx.send_mail(NewMail { requested_by, ..NewMail::new(MailKind::AddressTaken, &owner) }).await
        }
        None => cx.send_mail(NewMail::new(kind, to)).await,
    }
}

impl Rule for VerifyEmail {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<EmailVerified, Failure> {
        let token = take_token(cx, &self.token_hash, TokenPurpose::VerifyEmail).await?;
        verify(cx, token.account_id, token.email).await
    }
}

impl Rule for VerifyEmailCode {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Option<EmailVerified>, Failure> {
        let account_id = cx.account_id()?;
        // All codes of the account count a wrong code, so that several mails do not allow more attempts.
        let token = sqlx::query!(
            r#"with tried as (
                   update mail_tokens set wrong_codes = wrong_codes + (code_hash <> decode($2, 'hex'))::int
                   where account_id = $1 and purpose = 'verify_email' and expires_at > $3 and wrong_codes < $4
                   returning token_hash, email, code_hash
               )
               select token_hash, email from tried where code_hash = decode($2, 'hex') limit 1"#,
            account_id.get(),
            self.code_hash,
            cx.now,
            WRONG_CODES,
        )
        .fetch_optional(&mut *cx.db)
        .await?;
        let Some(token) = token else { return Ok(None) };
        sqlx::query!("delete from mail_tokens where token_hash = $1", token.token_hash)
            .execute(&mut *cx.db)
            .await?;
        verify(cx, account_id, token.email).await.map(Some)
    }
}

/// Gives the account the address of the token, as a verified one.
async fn verify(
    cx: &mut Context<'_>,
    account_id: AccountId,
    email: String,
) -> Result<EmailVerified, Failure> {
    let owner = Owner::lock(cx, account_id).await?;
    set_verified_email(cx, account_id, &email).await?;
    let is_change = owner.email != email;
    if is_change {
        // The old address receives a link that restores it.
        owner.tell(cx, MailKind::EmailChanged, serde_json::json!({ "new_email": email })).await?;
    }
    let verified = EmailVerified { account_id, email };
    cx.publish("account.email_verified", &serde_json::json!({ "account_id": account_id }));
    Ok(verified)
}

/// Stores a verified address. The account's other links that verify an address become invalid.
///
/// # Errors
/// Another account has verified the address meanwhile.
pub(super) async fn set_verified_email(
    cx: &mut Context<'_>,
    account_id: AccountId,
    email: &str,
) -> Result<(), Failure> {
    must_be_unverified_elsewhere(cx, account_id, email).await?;
    sqlx::query!(
        "update accounts set email = $2, email_verified_at = $3 where account_id = $1",
        account_id.get(),
        email,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await
    .on_constraint("accounts_verified_email_unique", AccountRefusal::EmailTaken)?;
    sqlx::query!(
        "delete from mail_tokens where account_id = $1 and purpose in ('verify_email', 'reset_password')",
        account_id.get()
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Refuses an address that another account has verified. The unique index finds two that do so at the same time, but the error writes the
/// address into the log of Postgres.
pub(super) async fn must_be_unverified_elsewhere(
    cx: &mut Context<'_>,
    account_id: AccountId,
    email: &str,
) -> Result<(), Failure> {
    let is_taken = sqlx::query_scalar!(
        r#"select exists (select from accounts where email_key = lower($2) and email_verified_at is not null
                            and account_id <> $1) as "is_taken!""#,
        account_id.get(),
        email,
    )
    .fetch_one(&mut *cx.db)
    .await?;
    if is_taken { Err(AccountRefusal::EmailTaken.into()) } else { Ok(()) }
}

/// Makes the links and codes invalid that would give the account another address. A stranger who knew the former password may have
/// requested them.
pub(super) async fn cancel_email_changes(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from mail_tokens using accounts
         where mail_tokens.account_id = $1 and purpose = 'verify_email'
           and accounts.account_id = $1 and lower(mail_tokens.email) <> email_key",
        account_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
