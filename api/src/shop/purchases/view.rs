//! The purchases of the caller. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    shop::{DeliveryId, OfferId, PurchaseId},
};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json};

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// A purchase and the state of its deliveries.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PurchaseState {
    pub purchase_id: PurchaseId,
    /// The character that gets the items.
    pub character_name: String,
    /// The total price.
    pub coins: i64,
    pub purchased_at: DateTime<Utc>,
    pub lines: Vec<PurchaseLine>,
}

/// The pieces of one offer in a purchase, and their delivery.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct PurchaseLine {
    pub delivery_id: DeliveryId,
    pub offer_id: OfferId,
    /// The name of the offer at the time of the purchase.
    pub name: String,
    pub quantity: i32,
    /// The price of one piece in coins at the time of the purchase.
    pub price: i64,
    pub status: DeliveryStatus,
    /// Whether the coins were returned, because the delivery was given up.
    pub returned: bool,
    /// Why the game server could not deliver it. Missing if there was no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// The newest 100 events of the delivery, oldest first.
    pub timeline: Vec<DeliveryEvent>,
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryStatus {
    /// A game server can lease it.
    Waiting,
    /// A game server has leased it.
    Leased,
    Delivered,
    /// Refused too often. An administrator must resend or discard it.
    Parked,
    /// An administrator has given it up. The game server does not get it any more.
    Discarded,
}

/// An event of a delivery.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct DeliveryEvent {
    pub what: DeliveryEventKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub happened_at: DateTime<Utc>,
}

/// The kind of an event of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryEventKind {
    Ordered,
    /// Leased by a game server. Further leases without an answer or after a temporary refusal are no events.
    Leased,
    Delivered,
    /// The game server could not deliver it. Repeated temporary refusals with the same reason are no events.
    Refused,
    Parked,
    /// An administrator made it due again.
    Resent,
    /// An administrator has given it up.
    Discarded,
}

/// The purchases of an account, newest first.
pub(super) struct PurchaseList {
    pub account_id: AccountId,
}

impl List for PurchaseList {
    type Item = PurchaseState;
    type Position = PurchaseId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from purchases where account_id = $1 limit $2) as counted"#,
            self.account_id.get(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    /// The deliveries are read only for the purchases of the page.
    async fn items(&self, database: &PgPool, rows: PageRows<PurchaseId>) -> sqlx::Result<Vec<PurchaseState>> {
        let rows = sqlx::query!(
            r#"select purchase_id as "purchase_id: PurchaseId", characters.name as character_name, coins, purchased_at,
                      (select jsonb_agg(jsonb_build_object(
                           'delivery_id', delivery_id, 'offer_id', offer_id, 'name', line.name,
                           'quantity', line.quantity, 'price', price, 'last_error', last_error,
                           'returned', return_transfer_id is not null,
                           'status', case when state <> 'open' then state
                                          when due_at > now() and last_event.what = 'leased' then 'leased'
                                          else 'waiting' end,
                           'timeline', timeline) order by offer_id)
                       from purchase_lines as line join deliveries using (purchase_id, offer_id)
                       cross join lateral (
                           select what from delivery_events
                           where delivery_events.delivery_id = deliveries.delivery_id
                           order by event_id desc limit 1) as last_event
                       cross join lateral (
                           select jsonb_agg(jsonb_build_object('what', what, 'detail', case when what <> 'resent' then detail end,
                                                               'happened_at', happened_at) order by event_id) as timeline
                           from (select event_id, what, detail, happened_at from delivery_events
                                 where delivery_events.delivery_id = deliveries.delivery_id
                                 order by event_id desc limit 100) as newest) as happened
                       where line.purchase_id = purchases.purchase_id) as "lines!: Json<Vec<PurchaseLine>>"
               from (select * from purchases where account_id = $1 and ($4::bigint is null or purchase_id < $4)
                     order by purchase_id desc limit $2 offset $3) as purchases
               join characters using (character_id)
               order by purchase_id desc"#,
            self.account_id.get(),
            rows.limit,
            rows.offset,
            rows.after as Option<PurchaseId>,
        )
        .fetch_all(database)
        .await?;
        let purchases = rows.into_iter().map(|row| PurchaseState {
            purchase_id: row.purchase_id,
            character_name: row.character_name,
            coins: row.coins,
            purchased_at: row.purchased_at,
            lines: row.lines.0,
        });
        Ok(purchases.collect())
    }

    fn position(purchase: &PurchaseState) -> PurchaseId {
        purchase.purchase_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/shop/purchases")
    }
}

guildhall_common::examples! {
    PurchaseState {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "purchased_at": "2030-01-31T12:00:00Z",
        "lines": [{
            "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "name": "Health potion",
            "quantity": 2, "price": 25, "status": "delivered", "returned": false, "last_error": null,
            "timeline": [{ "what": "ordered", "detail": null, "happened_at": "2030-01-31T12:00:00Z" }]
        }]
    }
}
