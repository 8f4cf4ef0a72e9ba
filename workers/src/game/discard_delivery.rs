//! Gives up a delivery.

use guildhall_common::contract::{
    actor::AccountId,
    coins::CoinTransferKind,
    command::Failure,
    game::{DeliveryDiscarded, DiscardDelivery, GameRefusal},
    shop::OfferId,
};

use crate::{
    coins::ledger::{self, Transfer},
    engine::{audit::Entry, context::Context, rule::Rule},
    game::timeline::{self, TimelineEvent},
    shop::stock,
};

/// A line of a purchase, as it was bought.
struct DeliveryLine {
    account_id: AccountId,
    offer_id: OfferId,
    quantity: i32,
    /// Whether its pieces were taken from a stock.
    from_stock: bool,
    /// The price of all pieces.
    coins: i64,
    state: String,
    /// Whether a game server has leased it and has not answered, and its lease has not ended.
    is_leased: bool,
}

impl Rule for DiscardDelivery {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// For administrators: the game cannot deliver, or the character is deleted. A game server that has leased it may still deliver
    /// it; its acknowledgement counts.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveryDiscarded, Failure> {
        let delivery_id = self.delivery_id;
        let delivery = sqlx::query_as!(
            DeliveryLine,
            r#"select purchase_lines.account_id as "account_id: AccountId", offer_id as "offer_id: OfferId",
                      deliveries.quantity, from_stock, price * deliveries.quantity as "coins!", state as "state!",
                      state = 'open' and attempts > 0 and unanswered > 0 and due_at > $2 as "is_leased!"
               from deliveries join purchase_lines using (purchase_id, offer_id)
               where delivery_id = $1 for update of deliveries"#,
            delivery_id.get(),
            cx.now,
        );
        let delivery = delivery.fetch_optional(&mut *cx.db).await?.ok_or(GameRefusal::DeliveryNotFound)?;
        if !matches!(delivery.state.as_str(), "open" | "parked") {
            return Err(GameRefusal::DeliveryEnded.into());
        }
        // The game server may be giving the items at this moment.
        if self.return_coins && delivery.is_leased {
            return Err(GameRefusal::DeliveryLeased.into());
        }
        let returned =
            if self.return_coins { Some(return_coins(cx, &delivery, &self.reason).await?) } else { None };
        sqlx::query!(
            "update deliveries
             set discarded_at = $2, return_transfer_id = $3 where delivery_id = $1",
            delivery_id.get(),
            cx.now,
            returned,
        )
        .execute(&mut *cx.db)
        .await?;
        if delivery.from_stock {
            stock::give_back(cx, delivery.offer_id, delivery.quantity).await?;
        }
        timeline::record(cx, TimelineEvent::Discarded, &[delivery_id], Some(&self.reason)).await?;
        let returned_coins = if returned.is_some() { delivery.coins } else { 0 };
        let details = serde_json::json!({
            "delivery_id": delivery_id, "account_id": delivery.account_id, "returned_coins": returned_coins
        });
        cx.audit(Entry::new("delivery.discard", details).text("reason", &self.reason)).await?;
        Ok(DeliveryDiscarded { delivery_id, returned_coins })
    }
}

/// Returns the coins of a delivery, and the id of the transfer.
async fn return_coins(cx: &mut Context<'_>, delivery: &DeliveryLine, reason: &str) -> sqlx::Result<i64> {
    let transfer = Transfer {
        kind: CoinTransferKind::Return,
        account_id: delivery.account_id,
        coins: delivery.coins,
        payment_id: None,
        operation_id: Some(cx.operation_id),
        reason: Some(reason),
    };
    ledger::post(cx.db, &transfer).await
}
