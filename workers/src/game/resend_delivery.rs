//! Makes a delivery due again.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryResent, GameRefusal, ResendDelivery},
};

use crate::{
    engine::{
        audit::Entry,
        rule::{Context, Rule},
    },
    game::resend::resend,
};

impl Rule for ResendDelivery {
    /// For administrators: a delivery that was parked, or whose items were lost.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryResent, Failure> {
        let delivery_id = self.delivery_id;
        let account_id = sqlx::query_scalar!(
            "select account_id from deliveries join purchases using (purchase_id)
             where delivery_id = $1 for update of deliveries",
            delivery_id.get(),
        );
        let account_id =
            account_id.fetch_optional(&mut *cx.db).await?.ok_or(GameRefusal::DeliveryNotFound)?;
        resend(cx, &[delivery_id], &self.reason).await?;
        let details = serde_json::json!({ "delivery_id": delivery_id, "account_id": account_id });
        cx.audit(Entry::new("delivery.resend", details).text("reason", &self.reason)).await?;
        Ok(DeliveryResent { delivery_id })
    }
}
