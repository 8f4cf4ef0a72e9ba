//! Makes a delivery due again.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryResent, GameRefusal, ResendDelivery},
    shop::DeliveryId,
};

use crate::{
    engine::rule::{Context, Rule},
    game::timeline::{self, DeliveryEventKind},
};

impl Rule for ResendDelivery {
    /// For administrators: a delivery that was parked, or whose items were lost. It keeps its id, so that a game server that
    /// has delivered it recognises it.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryResent, Failure> {
        let resent = sqlx::query_as!(
            DeliveryResent,
            r#"update deliveries set due_at = $2, attempts = 0, refusals = 0, unanswered = 0,
                   delivered_at = null, parked_at = null
               where delivery_id = $1 returning delivery_id as "delivery_id: DeliveryId""#,
            self.delivery_id.get(),
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(GameRefusal::DeliveryNotFound)?;
        timeline::record(cx, DeliveryEventKind::Resent, &[resent.delivery_id], Some(&self.reason)).await?;
        let details = serde_json::json!({ "delivery_id": resent.delivery_id, "reason": self.reason });
        cx.audit("delivery.resend", details).await?;
        Ok(resent)
    }
}
