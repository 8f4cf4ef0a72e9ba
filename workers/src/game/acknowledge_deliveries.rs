//! Marks deliveries as delivered.

use std::collections::BTreeSet;

use guildhall_common::contract::{
    command::Failure,
    game::{AcknowledgeDeliveries, DeliveriesAcknowledged},
    shop::DeliveryId,
};

use crate::{
    engine::rule::{Context, Rule},
    game::{
        game_server,
        timeline::{self, DeliveryEventKind},
    },
};

impl Rule for AcknowledgeDeliveries {
    /// It also accepts deliveries that are parked or discarded or have an expired lease, because the game server has delivered them.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesAcknowledged, Failure> {
        game_server::record_answer(cx).await?;
        let delivered = sqlx::query_scalar!(
            r#"update deliveries set delivered_at = $2, parked_at = null, discarded_at = null
               where delivery_id = any($1) and delivered_at is null
               returning delivery_id as "delivery_id: DeliveryId""#,
            &self.delivery_ids as _,
            cx.now,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        timeline::record(cx, DeliveryEventKind::Delivered, &delivered, None).await?;
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
