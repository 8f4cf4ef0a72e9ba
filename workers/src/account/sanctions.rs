//! Suspensions, and passwords that must be reset.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, AccountSuspended, EmailVerified, ExpirePassword, LiftSuspension,
        PasswordExpired, SuspendAccount, SuspensionLifted, VerifyEmailByHand,
    },
    command::{Failure, OnConstraint},
};
use serde_json::json;

use crate::{
    account::{
        owner::{Owner, in_words},
        password::expire_password,
        session::end_all,
        verify_email::must_be_unverified_elsewhere,
    },
    engine::{audit::Entry, context::Context, rule::Rule},
    game,
    mail::{MailKind, NewMail},
};

/// An account that an administrator acts on.
pub(super) struct Target {
    is_admin: bool,
    suspended_until: Option<DateTime<Utc>>,
}

/// Locks an account that an administrator acts on.
///
/// # Errors
/// It does not exist.
async fn lock_target(cx: &mut Context<'_>, account_id: AccountId) -> Result<Target, Failure> {
    let target = sqlx::query_as!(
        Target,
        r#"select 'admin' = any(roles) as "is_admin!",
                  case when isfinite(suspended_until) then suspended_until end as suspended_until
           from accounts where account_id = $1 and deleted_at is null for update"#,
        account_id.get(),
    );
    Ok(target.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::AccountNotFound)?)
}

/// Locks an account without the role admin: administrators do not lock out each other.
pub(super) async fn lock_subordinate(cx: &mut Context<'_>, account_id: AccountId) -> Result<Target, Failure> {
    let target = lock_target(cx, account_id).await?;
    if target.is_admin { Err(AccountRefusal::TargetIsAdmin.into()) } else { Ok(target) }
}

impl Rule for SuspendAccount {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<AccountSuspended, Failure> {
        let account_id = self.account_id;
        let before = lock_subordinate(cx, account_id).await?;
        if self.until.is_some_and(|until| until <= cx.now) {
            return Err(AccountRefusal::SuspensionInThePast.into());
        }
        sqlx::query!(
            "update accounts set suspended_until = coalesce($2, 'infinity'::timestamptz), suspension_reason = $3 where account_id = $1",
            account_id.get(),
            self.until,
            &*self.reason,
        )
        .execute(&mut *cx.db)
        .await?;
        let ended_sessions = end_all(cx, account_id, None).await?;
        let until = self.until.map(in_words);
        let owner = Owner::lock(cx, account_id).await?;
        owner.tell(cx, MailKind::AccountSuspended, json!({ "reason": self.reason, "until": until })).await?;
        let mut entry = Entry::new(
            "account.suspend",
            json!({ "account_id": account_id, "forever": self.until.is_none() }),
        )
        .text("reason", &self.reason);
        let time = |time: Option<DateTime<Utc>>| time.map(|time| json!(time));
        entry.add("suspended_until", time(before.suspended_until), time(self.until));
        cx.audit(entry).await?;
        Ok(AccountSuspended { account_id, until: self.until, ended_sessions })
    }
}

impl Rule for LiftSuspension {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<SuspensionLifted, Failure> {
        let account_id = self.account_id;
        lock_target(cx, account_id).await?;
        let lifted = sqlx::query!(
            "update accounts set suspended_until = null, suspension_reason = null
             where account_id = $1 and suspended_until is not null",
            account_id.get(),
        );
        if lifted.execute(&mut *cx.db).await?.rows_affected() == 0 {
            return Err(AccountRefusal::NotSuspended.into());
        }
        game::publish_due(cx, account_id).await?;
        let entry = Entry::new("account.lift_suspension", json!({ "account_id": account_id }));
        cx.audit(entry.text("reason", &self.reason)).await?;
        Ok(SuspensionLifted { account_id })
    }
}

impl Rule for ExpirePassword {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<PasswordExpired, Failure> {
        let account_id = self.account_id;
        lock_subordinate(cx, account_id).await?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_mail(cx)?;
        expire_password(cx, account_id).await?;
        let to = owner.recipient();
        cx.send_mail(NewMail { is_limited: false, ..NewMail::new(MailKind::ResetPassword, &to) }).await?;
        let ended_sessions = end_all(cx, account_id, None).await?;
        let entry = Entry::new("account.expire_password", json!({ "account_id": account_id }));
        cx.audit(entry.text("reason", &self.reason)).await?;
        Ok(PasswordExpired { account_id, ended_sessions })
    }
}

impl Rule for VerifyEmailByHand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<EmailVerified, Failure> {
        let account_id = self.account_id;
        lock_target(cx, account_id).await?;
        let email = sqlx::query_scalar!(
            "select email from accounts where account_id = $1 and email_verified_at is null",
            account_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::EmailAlreadyVerified)?;
        must_be_unverified_elsewhere(cx, account_id, &email).await?;
        sqlx::query!(
            "update accounts set email_verified_at = $2 where account_id = $1",
            account_id.get(),
            cx.now,
        )
        .execute(&mut *cx.db)
        .await
        .on_constraint("accounts_verified_email_unique", AccountRefusal::EmailTaken)?;
        let entry = Entry::new("account.verify_email_by_hand", json!({ "account_id": account_id }));
        cx.audit(entry.text("reason", &self.reason)).await?;
        Ok(EmailVerified { account_id, email })
    }
}
