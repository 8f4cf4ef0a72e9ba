//! Gives up a delivery.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryDiscarded, DiscardDelivery, GameRefusal},
};

use crate::{
    engine::{
        audit::Entry,
        rule::{Context, Rule},
    },
    game::timeline::{self, DeliveryEventKind},
};

impl Rule for DiscardDelivery {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// For administrators: the buyer has the coins again, or the character is deleted. A game server that has leased it may still
    /// deliver it; its acknowledgement counts.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryDiscarded, Failure> {
        let delivery_id = self.delivery_id;
        let delivery = sqlx::query!(
            r#"select purchases.account_id, state as "state!"
               from deliveries join purchases using (purchase_id)
               where delivery_id = $1 for update of deliveries"#,
            delivery_id.get(),
        );
        let delivery = delivery.fetch_optional(&mut *cx.db).await?.ok_or(GameRefusal::DeliveryNotFound)?;
        if !matches!(delivery.state.as_str(), "open" | "parked") {
            return Err(GameRefusal::DeliveryEnded.into());
        }
        sqlx::query!(
            "update deliveries set discarded_at = $2 where delivery_id = $1",
            delivery_id.get(),
            cx.now
        )
        .execute(&mut *cx.db)
        .await?;
        timeline::record(cx, DeliveryEventKind::Discarded, &[delivery_id], Some(&self.reason)).await?;
        let details = serde_json::json!({ "delivery_id": delivery_id, "account_id": delivery.account_id });
        cx.audit(Entry::new("delivery.discard", details).text("reason", &self.reason)).await?;
        Ok(DeliveryDiscarded { delivery_id })
    }
}
