//! What providers have told. Never cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    notification::Provider,
    values::{Limit, Page},
};
use poem_openapi::{Enum, Object, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::types::Json;

use crate::{
    admin::stored,
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    payments::known,
    state::State,
};

/// What a provider told.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct StoredNotification {
    pub notification_id: i64,
    pub provider: Provider,
    pub state: NotificationState,
    /// The payment that it names; missing if it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Why it was parked; missing unless it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often it was told.
    pub times: i32,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    /// As it was told.
    pub body: Any<Value>,
}

/// What became of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotificationState {
    /// Being looked into.
    Open,
    /// The books agree with it.
    Settled,
    /// Somebody has to look.
    Parked,
}

/// Which notifications.
pub(super) struct NotificationFilter {
    pub(super) state: Option<NotificationState>,
    pub(super) reference: Option<String>,
}

impl NotificationFilter {
    pub(super) async fn select(
        &self,
        state: &State,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<StoredNotification>, Problem> {
        let rows = sqlx::query!(
            r#"select notification_id, provider, state, reference, reason, times, first_at, last_at,
                      body as "body: Json<Value>"
               from payment_notifications
               where ($1::text is null or state = $1) and ($2::text is null or reference = $2)
               order by notification_id desc limit $3 offset $4"#,
            stored(self.state),
            self.reference,
            limit,
            offset,
        )
        .fetch_all(&state.database)
        .await?;
        let told = rows.into_iter().map(|row| {
            Ok(StoredNotification {
                notification_id: row.notification_id,
                provider: known(&row.provider)?,
                state: known(&row.state)?,
                reference: row.reference,
                reason: row.reason,
                times: row.times,
                first_at: row.first_at,
                last_at: row.last_at,
                body: Any(row.body.0),
            })
        });
        told.collect()
    }

    pub(super) async fn page(
        &self,
        state: &State,
        page: Page,
        limit: Limit,
    ) -> Result<ReadResponse<ListPage<StoredNotification>>, Problem> {
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from payment_notifications
               where $1::text is null or state = $1"#,
            stored(self.state),
        )
        .fetch_one(&state.database)
        .await?;
        ReadResponse::private_page(
            self.select(state, limit.get(), page.offset(limit)).await?,
            page,
            limit,
            total,
        )
    }
}

guildhall_common::examples! {
    StoredNotification {
        "notification_id": 7, "provider": "api_pix", "state": "parked", "reference": null,
        "reason": "it names no charge (txid)", "times": 1, "first_at": "2030-01-31T12:00:00Z",
        "last_at": "2030-01-31T12:00:00Z", "body": { "endToEndId": "E12345678202009091221abcdef12345" }
    }
}
