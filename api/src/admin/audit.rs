//! The audit log. It is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{contract::account::AccountId, id_types};
use poem_openapi::{Object, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgPool, types::Json};

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

id_types! {
    /// The id of an audit entry.
    AuditEntryId
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

/// All audit entries, newest first.
pub(super) struct AuditLog;

impl List for AuditLog {
    type Item = AuditEntry;
    type Position = AuditEntryId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from audit_log limit $1) as counted"#,
            limit
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<AuditEntryId>) -> sqlx::Result<Vec<AuditEntry>> {
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
               from audit_log where $3::bigint is null or audit_id < $3 order by audit_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            rows.after as Option<AuditEntryId>,
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

    fn position(entry: &AuditEntry) -> AuditEntryId {
        entry.audit_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/audit")
    }
}

guildhall_common::examples! {
    AuditEntry {
        "audit_id": 1, "account_id": 1, "action": "coins.adjust",
        "details": { "account_id": 3, "coins": 100 },
        "changes": [{ "field": "reason", "after": "Won the contest." }], "done_at": "2030-01-31T12:00:00Z"
    }
}
