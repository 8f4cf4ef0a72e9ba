//! Makes a delivery due again.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryResent, GameRefusal, ResendDelivery},
    shop::DeliveryId,
};

use crate::{
    engine::{
        audit::Entry,
        rule::{Context, Rule},
    },
    game::timeline::{self, DeliveryEventKind},
};

impl Rule for ResendDelivery {
    /// For administrators: a delivery that was parked, or whose items were lost. It keeps its id, so that a game server that
    /// has delivered it recognises it.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryResent, Failure> {
        let resent = sqlx::query!(
            r#"update deliveries set due_at = $2, attempts = 0, refusals = 0, unanswered = 0,
                   delivered_at = null, parked_at = null
               from purchases where delivery_id = $1 and purchases.purchase_id = deliveries.purchase_id
               returning delivery_id as "delivery_id: DeliveryId", account_id"#,
            self.delivery_id.get(),
            cx.now,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(GameRefusal::DeliveryNotFound)?;
        timeline::record(cx, DeliveryEventKind::Resent, &[resent.delivery_id], Some(&self.reason)).await?;
        let details =
            serde_json::json!({ "delivery_id": resent.delivery_id, "account_id": resent.account_id });
        cx.audit(Entry::new("delivery.resend", details).text("reason", &self.reason)).await?;
        Ok(DeliveryResent { delivery_id: resent.delivery_id })
    }
}
