//! The stored notifications of payment providers. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    payment::{DiscardNotification, NotificationId, ReplayNotification},
    providers::Provider,
    values::{Limit, Page, Reason},
};
use poem_openapi::{Enum, Object, OpenApi, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgPool, types::Json};

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

pub(crate) struct Notifications {
    pub state: State,
}

/// A notification of a payment provider, as it is stored.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct StoredNotification {
    pub notification_id: NotificationId,
    pub provider: Provider,
    pub status: NotificationStatus,
    /// The old name of `status`, until 1.0.
    #[oai(deprecated)]
    pub state: NotificationStatus,
    /// The reference of the payment. Missing if the notification has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Why the notification was parked. Missing if it is open or settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often the notification was received.
    pub times: i32,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    /// The body as it was received.
    pub body: Any<Value>,
}

/// The status of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum NotificationStatus {
    /// Not processed yet.
    Open,
    /// Processed: its receipts and refunds are recorded.
    Settled,
    /// It cannot be processed. An administrator must check it.
    Parked,
    /// Given up by an administrator.
    Discarded,
}

/// The notifications with a status and about a payment, newest first. None selects all.
pub(super) struct NotificationFilter {
    pub status: Option<NotificationStatus>,
    pub reference: Option<String>,
}

impl NotificationFilter {
    pub(super) async fn select(
        &self,
        database: &PgPool,
        rows: PageRows<NotificationId>,
    ) -> sqlx::Result<Vec<StoredNotification>> {
        let rows = sqlx::query!(
            r#"select notification_id as "notification_id: NotificationId", provider as "provider: Provider",
                      state as "status: NotificationStatus", reference, reason, times, first_at, last_at,
                      body as "body: Json<Value>"
               from payment_notifications
               where ($1::text is null or state = $1) and ($2::text is null or reference = $2)
                 and ($5::bigint is null or notification_id < $5)
               order by notification_id desc limit $3 offset $4"#,
            self.status as Option<NotificationStatus>,
            self.reference,
            rows.limit,
            rows.offset,
            rows.after as Option<NotificationId>,
        )
        .fetch_all(database)
        .await?;
        let notifications = rows.into_iter().map(|row| StoredNotification {
            notification_id: row.notification_id,
            provider: row.provider,
            status: row.status,
            state: row.status,
            reference: row.reference,
            reason: row.reason,
            times: row.times,
            first_at: row.first_at,
            last_at: row.last_at,
            body: Any(row.body.0),
        });
        Ok(notifications.collect())
    }
}

impl List for NotificationFilter {
    type Item = StoredNotification;
    type Position = NotificationId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from payment_notifications
                     where ($1::text is null or state = $1) and ($2::text is null or reference = $2)
                     limit $3) as counted"#,
            self.status as Option<NotificationStatus>,
            self.reference,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<NotificationId>,
    ) -> sqlx::Result<Vec<StoredNotification>> {
        self.select(database, rows).await
    }

    fn position(notification: &StoredNotification) -> NotificationId {
        notification.notification_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/notifications").filter("status", self.status)
    }
}

/// The notification to process again.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NotificationToReplay {
    notification_id: NotificationId,
}

/// The notification to discard, and the reason.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NotificationToDiscard {
    notification_id: NotificationId,
    reason: Reason,
}

#[OpenApi(tag = "Tag::Administration")]
impl Notifications {
    /// List all payment notifications, newest first
    ///
    /// Each notification has its body as the provider sent it. One that cannot be processed is parked with the reason.
    #[oai(path = "/admin/notifications", method = "get", operation_id = "admin_notifications")]
    async fn notifications(
        &self,
        _caller: RequireRole<Admin>,
        status: Query<Option<NotificationStatus>>,
        /// The old name of `status`, until 1.0.
        #[oai(deprecated)]
        state: Query<Option<NotificationStatus>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<StoredNotification>>, Problem> {
        let filter = NotificationFilter { status: status.0.or(state.0), reference: None };
        self.state.lists.private_page(&filter, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Replay a parked or discarded notification
    ///
    /// Replay it when the cause is fixed. A receipt is credited only once, even if it is replayed several times.
    #[oai(path = "/admin/notifications/replay", method = "post", operation_id = "admin_replay_notification")]
    async fn replay(
        &self,
        caller: SenderOf<ReplayNotification>,
        request: CommandRequest,
        body: JsonBody<NotificationToReplay>,
    ) -> Result<CommandResponse<ReplayNotification>, Problem> {
        let command = ReplayNotification { notification_id: body.notification_id };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Discard a parked notification
    ///
    /// For one that will never match a payment. It stays in the list as `discarded` and can still be replayed. If it is received again,
    /// it is processed again.
    #[oai(
        path = "/admin/notifications/discard",
        method = "post",
        operation_id = "admin_discard_notification"
    )]
    async fn discard(
        &self,
        caller: SenderOf<DiscardNotification>,
        request: CommandRequest,
        body: JsonBody<NotificationToDiscard>,
    ) -> Result<CommandResponse<DiscardNotification>, Problem> {
        let NotificationToDiscard { notification_id, reason } = body.0;
        self.state.commands.send(&request, &caller, DiscardNotification { notification_id, reason }).await
    }
}

guildhall_common::examples! {
    NotificationToReplay { "notification_id": 7 }
    NotificationToDiscard { "notification_id": 7, "reason": "The bank has sent it for a test." }
    StoredNotification {
        "notification_id": 7, "provider": "api_pix", "status": "parked", "state": "parked", "reference": null,
        "reason": "it names no charge (txid)", "times": 1, "first_at": "2030-01-31T12:00:00Z",
        "last_at": "2030-01-31T12:00:00Z", "body": { "endToEndId": "E12345678202009091221abcdef12345" }
    }
}
