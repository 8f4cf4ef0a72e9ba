//! The timeline of a delivery, which its buyer sees.

use uuid::Uuid;

use crate::engine::rule::Context;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Leased,
    Delivered,
    Refused,
    Parked,
    Resent,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Leased => "leased",
            Self::Delivered => "delivered",
            Self::Refused => "refused",
            Self::Parked => "parked",
            Self::Resent => "resent",
        }
    }

    fn topic(self) -> Option<&'static str> {
        match self {
            Self::Leased | Self::Refused => None,
            Self::Delivered => Some("delivery.delivered"),
            Self::Parked => Some("delivery.parked"),
            // Whoever hears of it hands it out again.
            Self::Resent => Some("delivery.ready"),
        }
    }
}

/// Writes down what happened to some deliveries, and tells the world what it may care for.
pub(super) async fn happened(
    cx: &mut Context<'_>,
    what: What,
    deliveries: &[Uuid],
    detail: Option<&str>,
) -> sqlx::Result<()> {
    if deliveries.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into delivery_events (delivery_id, what, detail, happened_at)
         select delivery_id, $2, $3, $4 from unnest($1::uuid[]) as happened (delivery_id)",
        deliveries,
        what.name(),
        detail,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    for delivery_id in deliveries {
        if let Some(topic) = what.topic() {
            cx.event(topic, &serde_json::json!({ "delivery_id": delivery_id, "detail": detail }));
        }
    }
    Ok(())
}
