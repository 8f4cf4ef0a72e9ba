//! Marks deliveries as delivered.

use std::collections::BTreeSet;

use guildhall_common::contract::{
    command::Failure,
    game::{AcknowledgeDeliveries, DeliveriesAcknowledged},
    shop::{DeliveryId, OfferId},
};

use crate::{
    engine::{context::Context, rule::Rule},
    game::{
        game_server,
        timeline::{self, TimelineEvent},
    },
    shop::stock,
};

impl Rule for AcknowledgeDeliveries {
    /// It also accepts deliveries that are parked or discarded or have an expired lease, because the game server has delivered them.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesAcknowledged, Failure> {
        game_server::record_answer(cx).await?;
        let rows = sqlx::query!(
            r#"with former as (
                   select delivery_id, from_stock and state = 'discarded' as was_put_back from deliveries
                   where delivery_id = any($1) and delivered_at is null for update
               )
               update deliveries set delivered_at = $2, parked_at = null, discarded_at = null
               from former where deliveries.delivery_id = former.delivery_id
               returning deliveries.delivery_id as "delivery_id: DeliveryId", offer_id as "offer_id: OfferId", quantity,
                         was_put_back as "was_put_back!""#,
            &self.delivery_ids as _,
            cx.now,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        for row in rows.iter().filter(|row| row.was_put_back) {
            // The pieces were on sale again. If others have bought them, the stock is empty.
            stock::take_again(cx, row.offer_id, row.quantity).await?;
        }
        let delivered: Vec<_> = rows.iter().map(|row| row.delivery_id).collect();
        timeline::record(cx, TimelineEvent::Delivered, &delivered, None).await?;
        let known: BTreeSet<_> = sqlx::query_scalar!(
            r#"select delivery_id as "delivery_id: DeliveryId" from deliveries where delivery_id = any($1)"#,
            &self.delivery_ids as _,
        )
        .fetch_all(&mut *cx.db)
        .await?
        .into_iter()
        .collect();
        let requested: BTreeSet<_> = self.delivery_ids.iter().copied().collect();
        let unknown = requested.difference(&known).copied().collect();
        let repeated = known.iter().copied().filter(|id| !delivered.contains(id)).collect();
        Ok(DeliveriesAcknowledged { delivered, repeated, unknown })
    }
}
