//! The timeline of a delivery, which its buyer sees.

use guildhall_common::contract::shop::DeliveryId;

use crate::engine::context::Context;

/// An event in the timeline of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(super) enum TimelineEvent {
    Leased,
    Delivered,
    Refused,
    Parked,
    Resent,
    Discarded,
}

impl TimelineEvent {
    /// The topic of the published event. Some events are not published.
    fn topic(self) -> Option<&'static str> {
        match self {
            Self::Leased | Self::Refused => None,
            Self::Delivered => Some("delivery.delivered"),
            Self::Parked => Some("delivery.parked"),
            Self::Discarded => Some("delivery.discarded"),
            // Game servers lease it after this event.
            Self::Resent => Some("delivery.ready"),
        }
    }
}

/// Adds an event to the timelines of deliveries, and publishes it.
pub(super) async fn record(
    cx: &mut Context<'_>,
    event: TimelineEvent,
    deliveries: &[DeliveryId],
    detail: Option<&str>,
) -> sqlx::Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into delivery_events (delivery_id, what, detail, happened_at, operation_id)
         select delivery_id, $2, $3, $4, $5 from unnest($1::uuid[]) as recorded (delivery_id)",
        deliveries as _,
        event as _,
        detail,
        cx.now,
        cx.operation_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    for delivery_id in deliveries {
        if let Some(topic) = event.topic() {
            cx.publish(topic, &serde_json::json!({ "delivery_id": delivery_id, "detail": detail }));
        }
    }
    Ok(())
}
