//! The deletion of an account: its request, its cancellation, and the job that carries it out.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, CancelDeletion, CancelDeletionByLink, DeletionCancelled,
        DeletionScheduled, ScheduleDeletion,
    },
    command::Failure,
    news::{PostId, news_key, post_key},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    account::{erasure, owner::Owner, session::end_all},
    app::App,
    character,
    engine::{
        audit::Entry,
        context::Context,
        job_transaction::JobTransaction,
        jobs::{Job, NextRun},
        rule::Rule,
    },
    mail::{MailKind, MailRecipient, NewMail, TokenPurpose, take_token},
    payments::{cancel_open_payments, open_payments},
};

/// The time between the request to delete an account and its deletion. The owner can cancel it until then.
const DELAY: TimeDelta = TimeDelta::days(14);

impl Rule for ScheduleDeletion {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeletionScheduled, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        if owner.is_staff {
            return Err(AccountRefusal::StaffStays.into());
        }
        if owner.deletion_due_at.is_some() {
            return Err(AccountRefusal::DeletionScheduled.into());
        }
        cx.check_requested_mails(account_id).await?;
        let due_at = cx.now + DELAY;
        set_due_time(cx, account_id, due_at).await?;
        cx.schedule(&DeleteAccount { account_id }, due_at).await?;
        let details = json!({ "deleted_at": due_at.format("%Y-%m-%d").to_string() });
        owner.tell(cx, MailKind::DeletionScheduled, details).await?;
        Ok(DeletionScheduled { account_id, due_at })
    }
}

impl Rule for CancelDeletion {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeletionCancelled, Failure> {
        let account_id = cx.account_id()?;
        cancel(cx, account_id).await
    }
}

impl Rule for CancelDeletionByLink {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeletionCancelled, Failure> {
        let token = take_token(cx, &self.token_hash, TokenPurpose::CancelDeletion).await?;
        cancel(cx, token.account_id).await
    }
}

/// Keeps the account. The scheduled job finds nothing to do.
async fn cancel(cx: &mut Context<'_>, account_id: AccountId) -> Result<DeletionCancelled, Failure> {
    let owner = Owner::lock(cx, account_id).await?;
    if owner.deletion_due_at.is_none() {
        return Err(AccountRefusal::DeletionNotScheduled.into());
    }
    keep_account(cx.db, account_id).await?;
    Ok(DeletionCancelled { account_id })
}

async fn set_due_time(
    cx: &mut Context<'_>,
    account_id: AccountId,
    due_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("update accounts set deletion_due_at = $2 where account_id = $1", account_id.get(), due_at)
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}

/// Cancels the deletion of an account. The links that cancel it become invalid, so that none can cancel a later deletion.
pub(crate) async fn keep_account(database: &mut PgConnection, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query!("update accounts set deletion_due_at = null where account_id = $1", account_id.get())
        .execute(&mut *database)
        .await?;
    sqlx::query!(
        "delete from mail_tokens where account_id = $1 and purpose = 'cancel_deletion'",
        account_id.get()
    )
    .execute(database)
    .await?;
    Ok(())
}

/// The job that deletes an account.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeleteAccount {
    pub(crate) account_id: AccountId,
}

impl Job for DeleteAccount {
    const NAME: &'static str = "delete_account";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let account_id = self.account_id;
        let mut transaction = JobTransaction::begin(app).await?;
        let mut cx = transaction.context();
        let due_at = sqlx::query_scalar!(
            "select deletion_due_at from accounts where account_id = $1",
            account_id.get()
        );
        // The owner has cancelled it, or an earlier attempt has done it.
        let Some(due_at) = due_at.fetch_one(&mut *cx.db).await? else { return Ok(NextRun::Done) };
        if due_at > cx.now {
            return Ok(NextRun::After(due_at - cx.now));
        }
        if !delete_account(&mut cx, account_id).await? {
            return Ok(NextRun::After(TimeDelta::zero()));
        }
        let effects = cx.effects;
        transaction.commit(effects).await?;
        tracing::info!(%account_id, "account deleted");
        Ok(NextRun::Done)
    }
}

/// Deletes an account. False: it was changed meanwhile, because its owner has cancelled the deletion, or has a new character or
/// payment. Then nothing may be committed.
///
/// The rows are locked in the order of the commands: guilds, characters, payments, the account.
async fn delete_account(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<bool> {
    let names = erasure::names_of(cx, account_id).await?;
    if !character::delete_all_of(cx, account_id).await? {
        return Ok(false);
    }
    cancel_open_payments(cx, account_id).await?;
    let owner = sqlx::query_as!(
        MailRecipient,
        r#"select account_id as "account_id: AccountId", name, language as "language: _",
                  case when email_verified_at is null then '' else email end as "email!"
           from accounts where account_id = $1 and deletion_due_at <= $2 for update"#,
        account_id.get(),
        cx.now,
    );
    let Some(owner) = owner.fetch_optional(&mut *cx.db).await? else { return Ok(false) };
    // New characters and payments lock the account for key share, so none is created from now on.
    if !character::all_of(cx, account_id).await?.is_empty()
        || !open_payments(cx, account_id).await?.is_empty()
    {
        return Ok(false);
    }
    end_all(cx, account_id, None).await?;
    invalidate_posts(cx, account_id).await?;
    erasure::erase_person(cx, account_id, &names).await?;
    if !owner.email.is_empty() {
        cx.send_mail(NewMail::new(MailKind::DeletionDone, &owner)).await?;
    }
    cx.publish("account.deleted", &json!({ "account_id": account_id }));
    cx.audit(Entry::new("account.delete", json!({ "account_id": account_id }))).await?;
    Ok(true)
}

/// The posts of the account show its name.
async fn invalidate_posts(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    let posts = sqlx::query_scalar!(
        r#"select post_id as "post_id: PostId" from posts where author_id = $1"#,
        account_id.get(),
    );
    let posts = posts.fetch_all(&mut *cx.db).await?;
    if !posts.is_empty() {
        cx.invalidate([news_key()]);
    }
    cx.invalidate(posts.into_iter().map(post_key));
    Ok(())
}
