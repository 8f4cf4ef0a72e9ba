//! The mails of the site, for administrators. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{AccountId, Language},
    mail::{DiscardMail, MailId, ResendMail},
    values::{Limit, Page},
};
use poem_openapi::{Enum, Object, OpenApi};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        list::List,
        list_address::ListAddress,
        paging::{PageRows, Paging, default_limit, first_page},
        parameters::Query,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct MailAdministration {
    pub state: State,
}

/// A mail of the site, without its text and its link.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct StoredMail {
    pub mail_id: MailId,
    pub account_id: AccountId,
    /// The name of its template.
    pub kind: String,
    pub recipient: String,
    pub language: Language,
    pub status: MailStatus,
    /// The old name of `status`, until 1.0.
    #[oai(deprecated)]
    pub state: MailStatus,
    /// The last error of the mail server. Missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    pub created_at: DateTime<Utc>,
    /// It is not sent later than this.
    pub expires_at: DateTime<Utc>,
    /// When it was sent, parked or discarded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
}

/// The status of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum MailStatus {
    /// Not accepted by the mail server yet.
    Waiting,
    /// Accepted by the mail server.
    Sent,
    /// Refused by the mail server, or not sent in time. An administrator must check it.
    Parked,
    /// Given up by an administrator.
    Discarded,
}

/// The mails with a status, newest first. None selects all.
struct MailFilter {
    status: Option<MailStatus>,
}

impl List for MailFilter {
    type Item = StoredMail;
    type Position = MailId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from mails where ($1::text is null or state = $1) limit $2) as counted"#,
            self.status as Option<MailStatus>,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<MailId>) -> sqlx::Result<Vec<StoredMail>> {
        sqlx::query_as!(
            StoredMail,
            r#"select mail_id as "mail_id: MailId", account_id as "account_id: AccountId", kind, recipient,
                      language as "language: Language", state as "status: MailStatus", state as "state: MailStatus",
                      last_error, created_at, expires_at, ended_at
               from mails
               where ($1::text is null or state = $1) and ($4::uuid is null or mail_id < $4)
               order by mail_id desc limit $2 offset $3"#,
            self.status as Option<MailStatus>,
            rows.limit,
            rows.offset,
            rows.after.map(MailId::get),
        )
        .fetch_all(database)
        .await
    }

    fn position(mail: &StoredMail) -> MailId {
        mail.mail_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/mails").filter("status", self.status)
    }
}

/// The parked mail.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ParkedMail {
    mail_id: MailId,
}

#[OpenApi(tag = "Tag::Administration")]
impl MailAdministration {
    /// List all mails, newest first
    ///
    /// The list has no texts and no links. Sent mails are deleted after some weeks.
    #[oai(path = "/admin/mails", method = "get", operation_id = "admin_mails")]
    async fn mails(
        &self,
        _caller: RequireRole<Admin>,
        status: Query<Option<MailStatus>>,
        /// The old name of `status`, until 1.0.
        #[oai(deprecated)]
        state: Query<Option<MailStatus>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<StoredMail>>, Problem> {
        let filter = MailFilter { status: status.0.or(state.0) };
        self.state.lists.private_page(&filter, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Resend a parked mail
    ///
    /// Resend it when the cause is fixed. A mail whose link has expired cannot be sent.
    #[oai(path = "/admin/mails/resend", method = "post", operation_id = "admin_resend_mail")]
    async fn resend(
        &self,
        caller: SenderOf<ResendMail>,
        request: CommandRequest,
        body: JsonBody<ParkedMail>,
    ) -> Result<CommandResponse<ResendMail>, Problem> {
        self.state.commands.send(&request, &caller, ResendMail { mail_id: body.mail_id }).await
    }

    /// Discard a parked mail
    ///
    /// It is not sent any more.
    #[oai(path = "/admin/mails/discard", method = "post", operation_id = "admin_discard_mail")]
    async fn discard(
        &self,
        caller: SenderOf<DiscardMail>,
        request: CommandRequest,
        body: JsonBody<ParkedMail>,
    ) -> Result<CommandResponse<DiscardMail>, Problem> {
        self.state.commands.send(&request, &caller, DiscardMail { mail_id: body.mail_id }).await
    }
}

guildhall_common::examples! {
    StoredMail {
        "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "kind": "verify_email",
        "recipient": "mira@example.org", "language": "en", "status": "parked", "state": "parked",
        "last_error": "550 no such user",
        "created_at": "2030-01-31T12:00:00Z", "expires_at": "2030-02-01T12:00:00Z",
        "ended_at": "2030-01-31T12:00:01Z"
    }
    ParkedMail { "mail_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5" }
}
