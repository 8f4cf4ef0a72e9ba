//! Makes a delivery due again.

use guildhall_common::contract::{
    command::Failure,
    game::{DeliveryResent, GameRefusal, ResendDelivery},
    shop::OfferId,
};

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    game::resend::resend,
    shop::stock,
};

impl Rule for ResendDelivery {
    /// For administrators: a delivery that was parked, or whose items were lost. The character must still exist.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryResent, Failure> {
        let delivery_id = self.delivery_id;
        let delivery = sqlx::query!(
            r#"select purchases.account_id, deleted_at is null as "has_character!", offer_id as "offer_id: OfferId",
                      quantity, from_stock and state = 'discarded' as "was_put_back!",
                      return_transfer_id is not null as "is_returned!"
               from deliveries join purchases using (purchase_id)
               join characters on characters.character_id = deliveries.character_id
               where delivery_id = $1 for update of deliveries for key share of characters"#,
            delivery_id.get(),
        );
        let delivery = delivery.fetch_optional(&mut *cx.db).await?.ok_or(GameRefusal::DeliveryNotFound)?;
        if !delivery.has_character {
            return Err(GameRefusal::CharacterNotFound.into());
        }
        if delivery.is_returned {
            return Err(GameRefusal::CoinsReturned.into());
        }
        if delivery.was_put_back && !stock::take_again(cx, delivery.offer_id, delivery.quantity).await? {
            return Err(GameRefusal::StockMissing.into());
        }
        resend(cx, &[delivery_id], &self.reason).await?;
        let details = serde_json::json!({ "delivery_id": delivery_id, "account_id": delivery.account_id });
        cx.audit(Entry::new("delivery.resend", details).text("reason", &self.reason)).await?;
        Ok(DeliveryResent { delivery_id })
    }
}
