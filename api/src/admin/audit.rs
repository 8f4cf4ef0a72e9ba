//! What administrators and operators did. Never cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::values::{Limit, Page};
use poem_openapi::{Object, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

/// What somebody with power did.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AuditEntry {
    pub audit_id: i64,
    /// Null: an operator, at the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<i64>,
    pub action: String,
    pub details: Any<Value>,
    pub done_at: DateTime<Utc>,
}

pub(super) async fn entries(
    state: &State,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<AuditEntry>>, Problem> {
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from audit_log"#)
        .fetch_one(&state.database)
        .await?;
    let rows = sqlx::query!(
        "select audit_id, account_id, action, details, done_at from audit_log
         order by audit_id desc limit $1 offset $2",
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let items = rows.into_iter().map(|row| AuditEntry {
        audit_id: row.audit_id,
        account_id: row.account_id,
        action: row.action,
        details: Any(row.details),
        done_at: row.done_at,
    });
    ReadResponse::private_page(items.collect(), page, limit, total)
}

guildhall_common::examples! {
    AuditEntry {
        "audit_id": 1, "account_id": 1, "action": "coins.adjust",
        "details": { "account_id": 3, "coins": 100, "reason": "Won the contest." }, "done_at": "2030-01-31T12:00:00Z"
    }
}
