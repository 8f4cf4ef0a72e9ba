//! Parked mails: an administrator sends them again or discards them.

use guildhall_common::contract::{
    command::Failure,
    mail::{DiscardMail, MailDiscarded, MailId, MailRefusal, MailResent, ResendMail},
};
use serde_json::json;

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    mail::send::SendMail,
};

impl Rule for ResendMail {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<MailResent, Failure> {
        if lock_parked(cx, self.mail_id).await? {
            return Err(MailRefusal::MailExpired.into());
        }
        sqlx::query!(
            "update mails set state = 'waiting', ended_at = null where mail_id = $1",
            self.mail_id.get()
        )
        .execute(&mut *cx.db)
        .await?;
        cx.schedule(&SendMail { mail_id: self.mail_id }, cx.now).await?;
        cx.audit(Entry::new("mail.resend", json!({ "mail_id": self.mail_id }))).await?;
        Ok(MailResent { mail_id: self.mail_id })
    }
}

impl Rule for DiscardMail {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<MailDiscarded, Failure> {
        lock_parked(cx, self.mail_id).await?;
        sqlx::query!(
            "update mails set state = 'discarded', ended_at = $2 where mail_id = $1",
            self.mail_id.get(),
            cx.now
        )
        .execute(&mut *cx.db)
        .await?;
        cx.audit(Entry::new("mail.discard", json!({ "mail_id": self.mail_id }))).await?;
        Ok(MailDiscarded { mail_id: self.mail_id })
    }
}

/// Locks a parked mail. Returns whether it is too late to send it.
async fn lock_parked(cx: &mut Context<'_>, mail_id: MailId) -> Result<bool, Failure> {
    let mail = sqlx::query!(
        "select state = 'parked' as \"is_parked!\", expires_at from mails where mail_id = $1 for update",
        mail_id.get(),
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or(MailRefusal::MailNotFound)?;
    if !mail.is_parked {
        return Err(MailRefusal::MailNotParked.into());
    }
    Ok(mail.expires_at <= cx.now)
}
