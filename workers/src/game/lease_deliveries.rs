//! Leases due deliveries to a game server.

use chrono::TimeDelta;
use guildhall_common::{
    contract::{
        character::CharacterId,
        command::Failure,
        game::{DeliveriesLeased, Delivery, LeaseDeliveries},
        shop::{DeliveryId, Grant, OfferId},
    },
    platform::backoff::DELIVERY_DELAY,
};
use sqlx::types::Json;

use crate::{
    engine::rule::{Context, Rule},
    game::{
        game_server, presence,
        timeline::{self, DeliveryEventKind},
    },
};

impl Rule for LeaseDeliveries {
    /// Leases the oldest due deliveries. Each lease without an answer delays the next one, because the game server may crash
    /// while it delivers.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesLeased, Failure> {
        let server = presence::renew(cx).await?;
        let leased_until = cx.now + TimeDelta::seconds(self.lease.get());
        let rows = sqlx::query!(
            r#"with leased as (
                   update deliveries
                   set attempts = attempts + 1, unanswered = unanswered + 1, leased_by = $5,
                       due_at = $2::timestamptz + case when unanswered = 0 then interval '0'
                           else least($7::interval, $6::interval * power(2, least(unanswered - 1, 20))) end
                   where delivery_id = any(array(
                       select delivery_id from deliveries
                       where state = 'open' and due_at <= $1 and (not $4 or exists (
                           select from characters join game_servers on service_token_id = online_by
                           where characters.character_id = deliveries.character_id and presence_until > $1))
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
            self.online,
            server.get(),
            DELIVERY_DELAY.first as _,
            DELIVERY_DELAY.longest as _,
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
        game_server::record_leases(cx, server, ids.len()).await?;
        Ok(DeliveriesLeased { items })
    }
}
