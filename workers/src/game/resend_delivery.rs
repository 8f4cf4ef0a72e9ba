//! Setting a delivery going again.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryResent, GameRefusal, ResendDelivery},
};

use crate::{
    engine::rule::{Context, Rule},
    game::timeline::{What, happened},
};

impl Rule for ResendDelivery {
    /// For administrators: what the game lost, or what was parked. Its id stays, so that a game
    /// which did give it can still tell.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryResent, Failure> {
        let resent = sqlx::query_as!(
            DeliveryResent,
            "update deliveries set due_at = $2, attempts = 0, delivered_at = null, parked_at = null
             where delivery_id = $1 returning delivery_id",
            self.delivery_id,
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(GameRefusal::DeliveryNotFound)?;
        happened(cx, What::Resent, &[resent.delivery_id], Some(&self.reason)).await?;
        let details = serde_json::json!({ "delivery_id": resent.delivery_id, "reason": self.reason });
        cx.audit("delivery.resend", details).await?;
        Ok(resent)
    }
}
