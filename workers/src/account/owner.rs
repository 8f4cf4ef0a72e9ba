//! The owner of an account, as the rules about addresses and passwords need it.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, Language, RenewedHash},
    command::Failure,
    secret_hash::hash_secret,
};
use serde_json::Value;

use crate::{
    engine::context::Context,
    mail::{MailKind, MailRecipient, NewMail},
};

/// An account whose row is locked.
pub(super) struct Owner {
    account_id: AccountId,
    name: String,
    pub(super) email: String,
    pub(super) is_verified: bool,
    pub(super) has_second_factor: bool,
    /// Whether it has a role beyond player.
    pub(super) is_staff: bool,
    pub(super) deletion_due_at: Option<DateTime<Utc>>,
    is_suspended: bool,
    password_expired: bool,
    password_hash: String,
    language: Language,
}

impl Owner {
    /// Locks an account.
    ///
    /// # Errors
    /// It does not exist.
    pub(super) async fn lock(cx: &mut Context<'_>, account_id: AccountId) -> Result<Self, Failure> {
        let owner = sqlx::query_as!(
            Self,
            r#"select account_id as "account_id: AccountId", name, email,
                      email_verified_at is not null as "is_verified!", password_hash, language as "language: Language",
                      second_factor is not null as "has_second_factor!", roles <> '{}' as "is_staff!", deletion_due_at,
                      coalesce(suspended_until > $2, false) as "is_suspended!", password_expired
               from accounts where account_id = $1 and deleted_at is null for no key update"#,
            account_id.get(),
            cx.now,
        );
        Ok(owner.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::AccountNotFound)?)
    }

    /// The owner at the address of the account.
    pub(super) fn recipient(&self) -> MailRecipient {
        self.recipient_at(&self.email)
    }

    /// The owner at another address.
    pub(super) fn recipient_at(&self, email: &str) -> MailRecipient {
        MailRecipient {
            account_id: self.account_id,
            name: self.name.clone(),
            email: email.to_owned(),
            language: self.language,
        }
    }

    /// Checks that the password did not change since the api has verified it.
    pub(super) fn check_password(&self, proven_hash: &str) -> Result<(), Failure> {
        let hash = hash_secret(&self.password_hash);
        if hash == proven_hash { Ok(()) } else { Err(AccountRefusal::PasswordHasChanged.into()) }
    }

    /// Stores a hash of the same password with the current parameters, unless the password was changed meanwhile.
    pub(super) async fn renew_hash(&self, cx: &mut Context<'_>, renewed: &RenewedHash) -> sqlx::Result<()> {
        if hash_secret(&self.password_hash) == renewed.proven_hash {
            sqlx::query!(
                "update accounts set password_hash = $2 where account_id = $1",
                self.account_id.get(),
                renewed.password_hash,
            )
            .execute(&mut *cx.db)
            .await?;
        }
        Ok(())
    }

    /// Sends a mail to the owner, if the address is verified.
    pub(super) async fn tell(
        &self,
        cx: &mut Context<'_>,
        kind: MailKind,
        details: Value,
    ) -> sqlx::Result<()> {
        if self.is_verified {
            cx.send_mail(NewMail { details, ..NewMail::new(kind, &self.recipient()) }).await?;
        }
        Ok(())
    }

    /// Checks that the account may log in. The api has read it a moment ago.
    pub(super) fn check_log_in(&self) -> Result<(), Failure> {
        if self.is_suspended {
            return Err(AccountRefusal::AccountSuspended.into());
        }
        if self.password_expired { Err(AccountRefusal::PasswordExpired.into()) } else { Ok(()) }
    }

    /// Checks that the site can send the owner a mail.
    pub(super) fn check_mail(&self, cx: &Context<'_>) -> Result<(), Failure> {
        if cx.services.mailer.is_none() {
            return Err(AccountRefusal::MailNotConfigured.into());
        }
        if self.is_verified { Ok(()) } else { Err(AccountRefusal::EmailNotVerified.into()) }
    }

    /// Checks that the account has a second factor.
    pub(super) fn check_second_factor(&self) -> Result<(), Failure> {
        if self.has_second_factor { Ok(()) } else { Err(AccountRefusal::SecondFactorNotEnabled.into()) }
    }
}

/// A time as mails show it.
pub(super) fn in_words(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}
