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
    engine::{context::Context, rule::Rule},
    game::{
        game_server, presence,
        timeline::{self, TimelineEvent},
    },
};

/// How many times the limit of a lease are considered, because other game servers may lease the oldest deliveries meanwhile.
const CANDIDATES: i64 = 8;

impl Rule for LeaseDeliveries {
    /// Leases the oldest due deliveries. Those of suspended buyers wait until the suspension ends. Each lease without an answer
    /// delays the next one, because the game server may crash while it delivers.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesLeased, Failure> {
        // The api has given up the request, so nobody would deliver.
        if self.deadline.is_some_and(|deadline| deadline < cx.now) {
            return Ok(DeliveriesLeased { items: vec![] });
        }
        let server = presence::renew(cx).await?;
        let leased_until = cx.now + TimeDelta::seconds(self.lease.get());
        let limit = self.limit.get();
        let world = self.world.as_deref();
        let due = if self.online {
            lock_due_online(cx, limit, world).await?
        } else {
            lock_due(cx, limit, world).await?
        };
        let rows = sqlx::query!(
            r#"with leased as (
                   update deliveries
                   set attempts = attempts + 1, unanswered = unanswered + 1, leased_by = $3,
                       due_at = $2::timestamptz + case when unanswered = 0 then interval '0'
                           else least($5::interval, $4::interval * power(2, least(unanswered - 1, 20))) end
                   where delivery_id = any($1)
                   returning *
               )
               select delivery_id as "delivery_id: DeliveryId", leased.character_id as "character_id: CharacterId",
                      characters.name as character_name, game_character_id, leased.offer_id as "offer_id: OfferId",
                      purchase_lines.name as offer_name, leased.quantity, grants as "grants: Json<Vec<Grant>>",
                      attempts, unanswered = 1 and not is_postponed as "is_event!", purchased_at
               from leased join purchases using (purchase_id)
                   join purchase_lines using (purchase_id, offer_id)
                   join characters on characters.character_id = leased.character_id
               order by purchase_id, leased.offer_id"#,
            &due as _,
            leased_until,
            server.get(),
            DELIVERY_DELAY.first as _,
            DELIVERY_DELAY.longest as _,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        // Further leases without an answer are no events: a game server that crashes may have thousands. Leases after a temporary
        // refusal are none either.
        let events: Vec<_> = rows.iter().filter(|row| row.is_event).map(|row| row.delivery_id).collect();
        timeline::record(cx, TimelineEvent::Leased, &events, None).await?;
        game_server::record_leases(cx, server, rows.len()).await?;
        let items = rows
            .into_iter()
            .map(|row| Delivery {
                delivery_id: row.delivery_id,
                character_id: row.character_id,
                character_name: row.character_name,
                game_character_id: row.game_character_id,
                offer_id: row.offer_id,
                offer_name: row.offer_name,
                quantity: row.quantity,
                grants: row.grants.0,
                attempt: row.attempts,
                leased_until,
                purchased_at: row.purchased_at,
            })
            .collect();
        Ok(DeliveriesLeased { items })
    }
}

/// Locks the oldest due deliveries. A subquery reads the buyer of each, so that Postgres keeps the order of the index and stops at
/// the limit. With a join, it could read all deliveries.
async fn lock_due(cx: &mut Context<'_>, limit: i64, world: Option<&str>) -> sqlx::Result<Vec<DeliveryId>> {
    sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries
           where state = 'open' and due_at <= $1 and ($3::text is null or exists (
               select from characters
               where characters.character_id = deliveries.character_id and (world is null or world = $3)))
               and (select suspended_until > $1 from accounts where account_id = kept_account_id) is not true
           order by due_at, purchase_id, offer_id limit $2 for update skip locked"#,
        cx.now,
        limit,
        world,
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Locks the oldest due deliveries of online characters. It starts from the characters: many deliveries may wait for players who
/// are offline, and `offset 0` keeps Postgres from reading these.
async fn lock_due_online(
    cx: &mut Context<'_>,
    limit: i64,
    world: Option<&str>,
) -> sqlx::Result<Vec<DeliveryId>> {
    sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries
           where state = 'open' and due_at <= $1 and delivery_id = any(array(
               select due.delivery_id
               from game_servers join characters on online_by = service_token_id
                   cross join lateral (
                       select delivery_id, due_at, purchase_id, offer_id from deliveries
                       where deliveries.character_id = characters.character_id and state = 'open' and due_at <= $1
                           and (select suspended_until > $1 from accounts where account_id = kept_account_id) is not true
                       offset 0) as due
               where presence_until > $1 and online_by is not null
                   and ($4::text is null or world is null or world = $4)
               order by due.due_at, due.purchase_id, due.offer_id limit $3))
           order by due_at, purchase_id, offer_id limit $2 for update skip locked"#,
        cx.now,
        limit,
        limit * CANDIDATES,
        world,
    )
    .fetch_all(&mut *cx.db)
    .await
}
