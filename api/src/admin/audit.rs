//! The audit log. It is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::AccountId,
        values::{Limit, Page, Timestamp},
    },
    id_types, text_types,
};
use poem_openapi::{Object, OpenApi, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgPool, types::Json};

use crate::{
    auth::{Admin, RequireRole},
    http::{
        cursor::Cursor,
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

id_types! {
    /// The id of an audit entry.
    AuditEntryId
}

text_types! {
    /// The name of an action in the audit log.
    AuditAction { 1 ..= 64, "^[a-z_]+[.][a-z_]+$", "coins.adjust" }
}

pub(crate) struct AuditLog {
    pub state: State,
}

/// An action of an administrator or an operator.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AuditEntry {
    pub audit_id: AuditEntryId,
    /// Missing if an operator did it on the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    pub action: String,
    /// The ids, numbers and codes of the action.
    pub details: Any<Value>,
    /// The values that the action changed, and the texts that were typed for it, such as its reason.
    pub changes: Vec<AuditChange>,
    pub done_at: DateTime<Utc>,
}

/// A value that an action changed.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct AuditChange {
    pub field: String,
    /// Missing: there was none, or it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Any<Value>>,
    /// Missing: there is none, or it is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Any<Value>>,
    /// When an operator erased the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<DateTime<Utc>>,
}

/// The audit entries that match all filters, newest first. None selects all.
struct AuditFilter {
    account_id: Option<AccountId>,
    about_account_id: Option<AccountId>,
    action: Option<AuditAction>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl List for AuditFilter {
    type Item = AuditEntry;
    type Position = (Timestamp, AuditEntryId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from audit_log
                     where ($1::bigint is null or account_id = $1) and ($2::bigint is null or about_account_id = $2)
                       and ($3::text is null or action = $3)
                       and ($4::timestamptz is null or done_at >= $4) and ($5::timestamptz is null or done_at <= $5)
                     limit $6) as counted"#,
            self.account_id as Option<AccountId>,
            self.about_account_id as Option<AccountId>,
            self.action.as_deref(),
            self.since.map(|since| since.0),
            self.until.map(|until| until.0),
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(Timestamp, AuditEntryId)>,
    ) -> sqlx::Result<Vec<AuditEntry>> {
        let (done_at, audit_id) = rows.after.map(|(at, id)| (at.0, id)).unzip();
        let rows = sqlx::query!(
            r#"select audit_id as "audit_id: AuditEntryId", account_id as "account_id: AccountId", action,
                      details - 'changes' as "details!", done_at,
                      (select coalesce(jsonb_agg(jsonb_strip_nulls(change)), '[]')
                       from (select jsonb_array_elements(details -> 'changes')
                             union all
                             (select jsonb_build_object('field', field, 'before', before, 'after', after,
                                                        'erased_at', erased_at)
                              from audit_texts where audit_texts.audit_id = audit_log.audit_id order by field)
                            ) as changes (change)) as "changes!: Json<Vec<AuditChange>>"
               from audit_log
               where ($1::bigint is null or account_id = $1) and ($2::bigint is null or about_account_id = $2)
                 and ($3::text is null or action = $3)
                 and ($4::timestamptz is null or done_at >= $4) and ($5::timestamptz is null or done_at <= $5)
                 and ($6::timestamptz is null or (done_at, audit_id) < ($6, $7::bigint))
               order by done_at desc, audit_id desc limit $8 offset $9"#,
            self.account_id as Option<AccountId>,
            self.about_account_id as Option<AccountId>,
            self.action.as_deref(),
            self.since.map(|since| since.0),
            self.until.map(|until| until.0),
            done_at,
            audit_id as Option<AuditEntryId>,
            rows.limit,
            rows.offset,
        )
        .fetch_all(database)
        .await?;
        let entries = rows.into_iter().map(|row| AuditEntry {
            audit_id: row.audit_id,
            account_id: row.account_id,
            action: row.action,
            details: Any(row.details),
            changes: row.changes.0,
            done_at: row.done_at,
        });
        Ok(entries.collect())
    }

    fn position(entry: &AuditEntry) -> (Timestamp, AuditEntryId) {
        (Timestamp(entry.done_at), entry.audit_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/audit")
            .filter("account_id", self.account_id)
            .filter("about_account_id", self.about_account_id)
            .filter("action", self.action.as_deref())
            .filter("since", self.since)
            .filter("until", self.until)
    }
}

#[OpenApi(tag = "Tag::Administration")]
impl AuditLog {
    /// List all audit entries, newest first
    ///
    /// Each entry has the action of an administrator, an editor, a merchant or an operator, and what it changed. The filters are the
    /// account that did it, the account that it is about, the action, and the period from `since` to `until`. An entry must match all
    /// of them.
    #[expect(clippy::too_many_arguments, reason = "each parameter of the request is an argument")]
    #[oai(path = "/admin/audit", method = "get", operation_id = "admin_audit")]
    async fn audit(
        &self,
        _caller: RequireRole<Admin>,
        account_id: Query<Option<AccountId>>,
        about_account_id: Query<Option<AccountId>>,
        action: Query<Option<AuditAction>>,
        /// The start of the period.
        since: Query<Option<Timestamp>>,
        /// The end of the period.
        until: Query<Option<Timestamp>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<AuditEntry>>, Problem> {
        let filter = AuditFilter {
            account_id: account_id.0,
            about_account_id: about_account_id.0,
            action: action.0,
            since: since.0,
            until: until.0,
        };
        self.state.lists.private_page(&filter, Paging::new(page.0, limit.0, after.0)).await
    }
}

guildhall_common::examples! {
    AuditEntry {
        "audit_id": 1, "account_id": 1, "action": "coins.adjust",
        "details": { "account_id": 3, "coins": 100 },
        "changes": [{ "field": "reason", "after": "Won the contest." }], "done_at": "2030-01-31T12:00:00Z"
    }
}
