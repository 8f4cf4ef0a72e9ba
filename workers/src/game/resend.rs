//! Makes deliveries due again.

use guildhall_common::contract::{shop::DeliveryId, values::Reason};

use crate::{
    engine::context::Context,
    game::timeline::{self, TimelineEvent},
};

/// Makes these deliveries due again, in any state. They keep their ids, so that a game server that has delivered them
/// recognises them. The buyer does not read the reason.
pub(super) async fn resend(
    cx: &mut Context<'_>,
    deliveries: &[DeliveryId],
    reason: &Reason,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update deliveries
         set due_at = $2, attempts = 0, refusals = 0, unanswered = 0, is_postponed = false, delivered_at = null,
             parked_at = null, discarded_at = null
         where delivery_id = any($1)",
        deliveries as _,
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    timeline::record(cx, TimelineEvent::Resent, deliveries, Some(reason)).await
}
