//! The export of an account's data as a JSON document.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{AccountId, AccountRefusal, ExportOpened, ExportRequested, OpenExport, RequestExport},
    command::Failure,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    account::owner::Owner,
    app::App,
    engine::{
        context::Context,
        failure::into_error,
        job_transaction::JobTransaction,
        jobs::{Job, NextRun},
        rule::Rule,
    },
    mail::{MailKind, TokenPurpose},
};

/// How long an export is kept. Its link is valid for the same time.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// How long the link works after its first use.
const REPEAT_TIME: TimeDelta = TimeDelta::minutes(10);

impl Rule for RequestExport {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<ExportRequested, Failure> {
        let account_id = cx.account_id()?;
        let owner = Owner::lock(cx, account_id).await?;
        owner.check_password(&self.proven_hash)?;
        owner.check_mail(cx)?;
        cx.check_requested_mails(account_id).await?;
        cx.schedule(&ExportAccount { account_id }, cx.now).await?;
        Ok(ExportRequested { account_id })
    }
}

impl Rule for OpenExport {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// The token stays valid for a few minutes, because the response with the document may be lost.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<ExportOpened, Failure> {
        let account_id = sqlx::query_scalar!(
            r#"update mail_tokens set expires_at = least(expires_at, $3)
               where token_hash = decode($1, 'hex') and purpose = $4 and expires_at > $2
               returning account_id as "account_id: AccountId""#,
            self.token_hash,
            cx.now,
            cx.now + REPEAT_TIME,
            TokenPurpose::OpenExport as _,
        );
        let account_id =
            account_id.fetch_optional(&mut *cx.db).await?.ok_or(AccountRefusal::TokenNotFound)?;
        Ok(ExportOpened { account_id })
    }
}

/// The job that collects the data of an account. A repeated attempt replaces the document and sends another link.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ExportAccount {
    pub(crate) account_id: AccountId,
}

impl Job for ExportAccount {
    const NAME: &'static str = "export_account";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let account_id = self.account_id;
        let mut transaction = JobTransaction::begin(app).await?;
        let mut cx = transaction.context();
        let owner = match Owner::lock(&mut cx, account_id).await {
            Ok(owner) => owner,
            // The account was deleted meanwhile.
            Err(Failure::Refused(_)) => return Ok(NextRun::Done),
            Err(failure) => return Err(into_error(failure)),
        };
        store_document(&mut cx, account_id).await?;
        owner.tell(&mut cx, MailKind::ExportReady, json!({})).await?;
        let effects = cx.effects;
        transaction.commit(effects).await?;
        Ok(NextRun::Done)
    }
}

/// Stores the document. One statement reads everything, so all its parts are of the same time.
async fn store_document(cx: &mut Context<'_>, account_id: AccountId) -> sqlx::Result<()> {
    sqlx::query_file!("src/account/export.sql", account_id.get(), cx.now, cx.now + LIFETIME)
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}
