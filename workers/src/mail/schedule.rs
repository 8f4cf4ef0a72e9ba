//! Scheduling a mail, in the transaction of the change that it tells about.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, Language},
    command::Failure,
    mail::MailId,
    secret_hash::hash_code,
};
use lettre::Address;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    engine::context::Context,
    mail::{
        kind::{Action, MailKind},
        send::SendMail,
    },
    mailer::Mailer,
};

/// The maximum number of mails per hour to one address that strangers can cause.
const MAILS_PER_HOUR: i64 = 5;

/// The maximum number of mails per hour that one account requests.
const REQUESTED_MAILS_PER_HOUR: i64 = 10;

/// The account that a mail is about, and where the mail goes.
#[derive(Debug, Clone)]
pub(crate) struct MailRecipient {
    pub(crate) account_id: AccountId,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) language: Language,
}

/// Whether the syntax of an address allows to send mails to it (RFC 5321).
pub(crate) fn is_deliverable(email: &str) -> bool {
    email.parse::<Address>().is_ok()
}

impl MailRecipient {
    /// The account that has verified an address. Its deletion waits, and erases a mail that is scheduled meanwhile.
    pub(crate) async fn find_verified(cx: &mut Context<'_>, email: &str) -> sqlx::Result<Option<Self>> {
        sqlx::query_as!(
            Self,
            r#"select account_id as "account_id: AccountId", name, email, language as "language: Language"
               from accounts where email_key = lower($1) and email_verified_at is not null for key share"#,
            email,
        )
        .fetch_optional(&mut *cx.db)
        .await
    }
}

/// A mail to schedule.
pub(crate) struct NewMail<'a> {
    pub(crate) kind: MailKind,
    pub(crate) to: &'a MailRecipient,
    /// The values of the template besides the account's name, the link and the code.
    pub(crate) details: Value,
    /// The address that the link verifies or restores. It can differ from the recipient's.
    pub(crate) email: &'a str,
    /// Whether it is refused after too many mails to its address.
    pub(crate) is_limited: bool,
    /// The account that requested it, if any.
    pub(crate) requested_by: Option<AccountId>,
}

impl<'a> NewMail<'a> {
    pub(crate) fn new(kind: MailKind, to: &'a MailRecipient) -> Self {
        Self {
            kind,
            to,
            details: json!({}),
            email: &to.email,
            is_limited: kind.is_limited(),
            requested_by: kind.is_requested().then_some(to.account_id),
        }
    }
}

impl Context<'_> {
    /// Schedules a mail. Returns false if the site sends no mails, or the address has received too many.
    pub(crate) async fn send_mail(&mut self, mail: NewMail<'_>) -> sqlx::Result<bool> {
        let Some(mailer) = &self.services.mailer else { return Ok(false) };
        if mail.is_limited && self.is_mail_limit_reached(mail.kind, &mail.to.email).await? {
            return Ok(false);
        }
        let mail_id = MailId::from(Uuid::now_v7());
        let mut details = mail.details;
        details["account_name"] = mail.to.name.as_str().into();
        sqlx::query!(
            "insert into mails (mail_id, account_id, kind, recipient, language, details, expires_at, requested_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
            mail_id.get(),
            mail.to.account_id.get(),
            mail.kind.name(),
            mail.to.email,
            mail.to.language as _,
            details,
            self.now + mail.kind.worth_sending(),
            mail.requested_by.map(AccountId::get),
        )
        .execute(&mut *self.db)
        .await?;
        if let Some(action) = mail.kind.action() {
            self.insert_mail_token(mailer, mail_id, mail.to.account_id, mail.email, action).await?;
        }
        self.schedule(&SendMail { mail_id }, self.now).await?;
        Ok(true)
    }

    async fn insert_mail_token(
        &mut self,
        mailer: &Mailer,
        mail_id: MailId,
        account_id: AccountId,
        email: &str,
        action: Action,
    ) -> sqlx::Result<()> {
        let secrets = mailer.keys.secrets(mail_id);
        let code_hash = action.has_code.then(|| hash_code(account_id, &secrets.code));
        sqlx::query!(
            "insert into mail_tokens (token_hash, mail_id, account_id, purpose, email, code_hash, expires_at)
             values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7)",
            &secrets.token_hash()[..],
            mail_id.get(),
            account_id.get(),
            action.purpose as _,
            email,
            code_hash,
            self.now + action.lifetime,
        )
        .execute(&mut *self.db)
        .await?;
        Ok(())
    }

    /// Whether strangers have caused as many mails to this address as they may. Links for a new password are counted apart, so that other mails
    /// never keep an owner out.
    async fn is_mail_limit_reached(&mut self, kind: MailKind, email: &str) -> sqlx::Result<bool> {
        let is_reset = |kind: MailKind| kind == MailKind::ResetPassword;
        let counted = MailKind::limited().filter(|other| is_reset(*other) == is_reset(kind));
        sqlx::query_scalar!(
            r#"select count(*) >= $3 as "is_reached!" from mails
               where lower(recipient) = lower($1) and created_at > $2 and kind = any($4)"#,
            email,
            self.now - TimeDelta::hours(1),
            MAILS_PER_HOUR,
            &counted.map(|kind| kind.name().to_owned()).collect::<Vec<_>>(),
        )
        .fetch_one(&mut *self.db)
        .await
    }

    /// Refuses a request for a mail if the account has requested too many. Each kind counts, and each recipient, so the refusal does not
    /// show whether an address belongs to another account.
    ///
    /// # Errors
    /// The account has requested too many mails.
    pub(crate) async fn check_requested_mails(&mut self, account_id: AccountId) -> Result<(), Failure> {
        let is_reached = sqlx::query_scalar!(
            r#"select count(*) >= $3 as "is_reached!" from mails where requested_by = $1 and created_at > $2"#,
            account_id.get(),
            self.now - TimeDelta::hours(1),
            REQUESTED_MAILS_PER_HOUR,
        );
        let is_reached = is_reached.fetch_one(&mut *self.db).await?;
        if is_reached { Err(AccountRefusal::TooManyMails.into()) } else { Ok(()) }
    }
}
