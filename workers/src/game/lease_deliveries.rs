//! Leases due deliveries to a game server.

use chrono::TimeDelta;
use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    game::{DeliveriesLeased, Delivery, LeaseDeliveries},
    shop::{DeliveryId, Grant, OfferId},
};
use sqlx::types::Json;

use crate::{
    engine::rule::{Context, Rule},
    game::timeline::{self, DeliveryEventKind},
};

impl Rule for LeaseDeliveries {
    /// Leases the oldest due deliveries. Those that were leased too often without a response are parked.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesLeased, Failure> {
        park_unanswered(cx).await?;
        let leased_until = cx.now + TimeDelta::seconds(self.lease.get());
        let rows = sqlx::query!(
            r#"with leased as (
                   update deliveries set attempts = attempts + 1, due_at = $2
                   where delivery_id = any(array(
                       select delivery_id from deliveries
                       where state = 'open' and due_at <= $1
                       order by due_at, purchase_id, offer_id limit $3 for update skip locked))
                   returning *
               )
               select delivery_id as "delivery_id: DeliveryId", leased.character_id as "character_id: CharacterId",
                      characters.name as character_name, leased.offer_id as "offer_id: OfferId",
                      purchase_lines.name as offer_name, leased.quantity, grants as "grants: Json<Vec<Grant>>",
                      attempts, purchased_at
               from leased join purchases using (purchase_id)
                   join purchase_lines using (purchase_id, offer_id)
                   join characters on characters.character_id = leased.character_id
               order by purchase_id, leased.offer_id"#,
            cx.now,
            leased_until,
            self.limit.get(),
        )
        .fetch_all(&mut *cx.db)
        .await?;
        let items: Vec<Delivery> = rows
            .into_iter()
            .map(|row| Delivery {
                delivery_id: row.delivery_id,
                character_id: row.character_id,
                character_name: row.character_name,
                offer_id: row.offer_id,
                offer_name: row.offer_name,
                quantity: row.quantity,
                grants: row.grants.0,
                attempt: row.attempts,
                leased_until,
                purchased_at: row.purchased_at,
            })
            .collect();
        let ids: Vec<_> = items.iter().map(|delivery| delivery.delivery_id).collect();
        timeline::record(cx, DeliveryEventKind::Leased, &ids, None).await?;
        Ok(DeliveriesLeased { items })
    }
}

async fn park_unanswered(cx: &mut Context<'_>) -> Result<(), Failure> {
    let parked = sqlx::query_scalar!(
        r#"update deliveries set parked_at = $1, last_error = coalesce(last_error, 'it was never acknowledged')
           where state = 'open' and due_at <= $1 and attempts >= $2
           returning delivery_id as "delivery_id: DeliveryId""#,
        cx.now,
        cx.settings.delivery_tries,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    Ok(timeline::record(cx, DeliveryEventKind::Parked, &parked, Some("it was never acknowledged")).await?)
}
