//! The job that sends a mail.

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::contract::{account::Language, mail::MailId};
use lettre::{message::Mailbox, transport::smtp::Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    app::App,
    engine::jobs::{Job, Lane, NextRun},
    mail::kind::MailKind,
    mailer::{Mailer, Rendered},
};

/// The delay of a mail when the site has sent as many mails as it may.
const SITE_LIMIT_DELAY: TimeDelta = TimeDelta::seconds(5);

/// A mail that waits to be sent.
struct WaitingMail {
    kind: String,
    recipient: String,
    language: Language,
    details: Value,
    created_at: DateTime<Utc>,
    is_expired: bool,
    token_hash: Option<Vec<u8>>,
}

/// Why a mail cannot be written.
enum Unwritten {
    /// Another worker may be able to, or this one with other settings. The text has no secrets.
    ByThisWorker(&'static str),
    Forever(anyhow::Error),
}

impl From<anyhow::Error> for Unwritten {
    fn from(error: anyhow::Error) -> Self {
        Self::Forever(error)
    }
}

/// Sends a mail once. If the worker dies before it has stored that, the mail is sent again with the same `Message-ID`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SendMail {
    pub(crate) mail_id: MailId,
}

impl Job for SendMail {
    const NAME: &'static str = "send_mail";
    const LANE: Lane = Lane::Mail;

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let mail_id = self.mail_id;
        let mailer = app.services.mailer.as_ref().context("this worker has no mail server")?;
        let Some(mail) = find(app, mail_id).await? else { return Ok(NextRun::Done) };
        if mail.is_expired {
            return park(app, mail_id, "it could not be sent in time").await;
        }
        let rendered = match render(mailer, mail_id, &mail) {
            Ok(rendered) => rendered,
            Err(Unwritten::Forever(error)) => return park(app, mail_id, &format!("{error:#}")).await,
            Err(Unwritten::ByThisWorker(error)) => {
                store_error(app, mail_id, error).await?;
                anyhow::bail!("{error}")
            }
        };
        let Ok(to) = mail.recipient.parse().map(|address| Mailbox::new(None, address)) else {
            return park(app, mail_id, "the address is invalid").await;
        };
        if mailer.site_limit.check().is_err() {
            return Ok(NextRun::After(SITE_LIMIT_DELAY));
        }
        match mailer.send(&mail_id.to_string(), mail.created_at.into(), to, rendered).await? {
            Ok(()) => {
                if mail.kind == MailKind::DeletionDone.name() {
                    forget(app, mail_id).await?;
                } else {
                    end(app, mail_id, "sent", None).await?;
                }
                metrics::counter!("guildhall_mails_sent_total").increment(1);
                Ok(NextRun::Done)
            }
            Err(error) if error.is_permanent() && !mailer.is_site_refused(&error).await => {
                park(app, mail_id, &describe(&error)).await
            }
            Err(error) => {
                store_error(app, mail_id, &describe(&error)).await?;
                // The text of the mail server may contain the address, which belongs into no log.
                let status =
                    error.status().map(|code| code.to_string()).unwrap_or_else(|| "no response".to_owned());
                anyhow::bail!("the mail server did not accept a mail: {status}")
            }
        }
    }
}

/// The error with its cause.
fn describe(error: &Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}")
}

async fn find(app: &App, mail_id: MailId) -> sqlx::Result<Option<WaitingMail>> {
    sqlx::query_as!(
        WaitingMail,
        r#"select kind, recipient, language as "language: Language", details, mails.created_at,
                  mails.expires_at <= now() as "is_expired!", token_hash as "token_hash?"
           from mails left join mail_tokens using (mail_id) where mail_id = $1 and state = 'waiting'"#,
        mail_id.get(),
    )
    .fetch_optional(&app.database)
    .await
}

fn render(mailer: &Mailer, mail_id: MailId, mail: &WaitingMail) -> Result<Rendered, Unwritten> {
    let unknown = Unwritten::ByThisWorker("this worker does not know the kind of a mail");
    let kind = MailKind::from_name(&mail.kind).ok_or(unknown)?;
    let mut values = mail.details.clone();
    let page = kind.page().map(|path| format!("{}{path}", mailer.site.url)).unwrap_or_default();
    values["link"] = page.as_str().into();
    if let Some(action) = kind.action() {
        let hash = mail.token_hash.as_deref().context("its link was used or replaced")?;
        let no_key = Unwritten::ByThisWorker("the key of a mail is not in GUILDHALL_MAIL_SECRET");
        let secrets = mailer.keys.secrets_of(mail_id, hash).ok_or(no_key)?;
        // The part after # is not sent to servers, so no log of a proxy has it.
        values["link"] = format!("{page}#token={}", secrets.token).into();
        values["code"] = secrets.code.into();
        values["expires_in_hours"] = action.lifetime.num_hours().to_string().into();
        values["expires_in_minutes"] = action.lifetime.num_minutes().to_string().into();
        values["expires_in_days"] = action.lifetime.num_days().to_string().into();
        values["undo_days"] = action.lifetime.num_days().to_string().into();
    }
    Ok(mailer.templates.render(kind.name(), mail.language.code(), &mailer.site, &values)?)
}

/// Gives up a mail until an administrator sends it again.
async fn park(app: &App, mail_id: MailId, error: &str) -> anyhow::Result<NextRun> {
    end(app, mail_id, "parked", Some(error)).await?;
    metrics::counter!("guildhall_mails_parked_total").increment(1);
    tracing::warn!(mail.id = %mail_id, "mail parked");
    Ok(NextRun::Done)
}

async fn end(app: &App, mail_id: MailId, state: &str, error: Option<&str>) -> sqlx::Result<()> {
    sqlx::query!(
        "update mails set state = $2, last_error = $3, ended_at = now() where mail_id = $1 and state = 'waiting'",
        mail_id.get(),
        state,
        error,
    )
    .execute(&app.database)
    .await?;
    Ok(())
}

async fn store_error(app: &App, mail_id: MailId, error: &str) -> sqlx::Result<()> {
    sqlx::query!("update mails set last_error = $2 where mail_id = $1", mail_id.get(), error)
        .execute(&app.database)
        .await?;
    Ok(())
}

/// Deletes a mail that was sent. Nothing else knows the address of a deleted account.
async fn forget(app: &App, mail_id: MailId) -> sqlx::Result<()> {
    sqlx::query!("delete from mails where mail_id = $1", mail_id.get()).execute(&app.database).await?;
    Ok(())
}
