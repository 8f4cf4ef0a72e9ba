//! The caller's own purchases. For their owner alone, so not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::values::{Limit, Page};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

/// A purchase and how far it is.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PurchaseState {
    pub purchase_id: i64,
    /// Who gets it.
    pub character_name: String,
    /// What it cost in all.
    pub coins: i64,
    pub purchased_at: DateTime<Utc>,
    pub lines: Vec<PurchaseLine>,
}

/// Some pieces of one offer, and their way into the game.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct PurchaseLine {
    pub delivery_id: Uuid,
    pub offer_id: i64,
    /// As it was called on the day.
    pub name: String,
    pub quantity: i32,
    /// Of one piece, in coins, on the day.
    pub price: i64,
    pub status: DeliveryStatus,
    /// Why the game could not hand it out; missing unless it said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// What has happened, the oldest first.
    pub timeline: Vec<DeliveryEvent>,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryStatus {
    /// The game has not fetched it, or will be given it again.
    Waiting,
    /// A game server has it in hand.
    Leased,
    Delivered,
    /// Tried too often: somebody has to look.
    Parked,
}

/// Something that happened to a delivery.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct DeliveryEvent {
    pub what: DeliveryEventKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub happened_at: DateTime<Utc>,
}

/// What happened to a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryEventKind {
    Ordered,
    /// Handed to a game server.
    Leased,
    Delivered,
    /// The game server could not hand it out.
    Refused,
    Parked,
    /// An administrator set it going again.
    Resent,
}

pub(super) async fn purchases(
    state: &State,
    account_id: i64,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<PurchaseState>>, Problem> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from purchases where account_id = $1"#,
        account_id
    )
    .fetch_one(&state.database)
    .await?;
    let rows = sqlx::query!(
        r#"select purchase_id, characters.name as character_name, coins, purchased_at,
                  (select jsonb_agg(jsonb_build_object(
                       'delivery_id', delivery_id, 'offer_id', offer_id, 'name', line.name,
                       'quantity', line.quantity, 'price', price, 'last_error', last_error,
                       'status', case when state <> 'open' then state
                                      when due_at > now() and last_event.what = 'leased' then 'leased'
                                      else 'waiting' end,
                       'timeline', timeline) order by offer_id)
                   from purchase_lines as line join deliveries using (purchase_id, offer_id)
                   cross join lateral (
                       select what from delivery_events where delivery_events.delivery_id = deliveries.delivery_id
                       order by event_id desc limit 1) as last_event
                   cross join lateral (
                       select jsonb_agg(jsonb_build_object('what', what, 'detail', detail,
                                                           'happened_at', happened_at) order by event_id) as timeline
                       from delivery_events where delivery_events.delivery_id = deliveries.delivery_id) as happened
                   where line.purchase_id = purchases.purchase_id) as "lines!: Json<Vec<PurchaseLine>>"
           from purchases join characters using (character_id) where purchases.account_id = $1
           order by purchase_id desc limit $2 offset $3"#,
        account_id,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let items = rows.into_iter().map(|row| PurchaseState {
        purchase_id: row.purchase_id,
        character_name: row.character_name,
        coins: row.coins,
        purchased_at: row.purchased_at,
        lines: row.lines.0,
    });
    let found = ReadResponse::private_page(items.collect(), page, limit, total)?;
    Ok(found.linked(page, limit, |page| format!("/shop/purchases/{page}/{}", limit.get())))
}

guildhall_common::examples! {
    PurchaseState {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "purchased_at": "2030-01-31T12:00:00Z",
        "lines": [{
            "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "name": "Health potion",
            "quantity": 2, "price": 25, "status": "delivered", "last_error": null,
            "timeline": [{ "what": "ordered", "detail": null, "happened_at": "2030-01-31T12:00:00Z" }]
        }]
    }
}
