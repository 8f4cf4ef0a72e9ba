//! All deliveries. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    shop::{DeliveryId, OfferId, PurchaseId},
};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// A delivery and its state.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminDelivery {
    pub delivery_id: DeliveryId,
    pub purchase_id: PurchaseId,
    pub account_id: AccountId,
    pub character_name: String,
    pub offer_id: OfferId,
    pub offer_name: String,
    pub quantity: i32,
    /// The number of leases.
    pub attempts: i32,
    pub state: DeliveryState,
    /// The last error of a game server. Missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// The time from which a game server can lease it.
    pub due_at: DateTime<Utc>,
    /// Missing if it is not delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum DeliveryState {
    /// A game server has leased it or can lease it.
    Open,
    Delivered,
    /// Refused too often. An administrator must resend it.
    Parked,
}

/// The deliveries in a state, or all of them, newest first.
pub(super) struct DeliveryFilter {
    pub state: Option<DeliveryState>,
}

impl List for DeliveryFilter {
    type Item = AdminDelivery;
    type Position = (PurchaseId, OfferId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from deliveries where $1::text is null or state = $1 limit $2) as counted"#,
            self.state as Option<DeliveryState>,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(PurchaseId, OfferId)>,
    ) -> sqlx::Result<Vec<AdminDelivery>> {
        let (purchase_id, offer_id) = rows.after.unzip();
        sqlx::query_as!(
            AdminDelivery,
            r#"select delivery_id as "delivery_id: DeliveryId", purchase_id as "purchase_id: PurchaseId",
                      purchase_lines.account_id as "account_id: AccountId", characters.name as character_name,
                      offer_id as "offer_id: OfferId", purchase_lines.name as offer_name, deliveries.quantity, attempts,
                      state as "state: DeliveryState", last_error, due_at, delivered_at
               from (select * from deliveries
                     where ($1::text is null or state = $1)
                       and ($4::bigint is null or (purchase_id, offer_id) < ($4, $5::bigint))
                     order by purchase_id desc, offer_id desc limit $2 offset $3) as deliveries
               join purchase_lines using (purchase_id, offer_id)
               join characters using (character_id)
               order by purchase_id desc, offer_id desc"#,
            self.state as Option<DeliveryState>,
            rows.limit,
            rows.offset,
            purchase_id as Option<PurchaseId>,
            offer_id as Option<OfferId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(delivery: &AdminDelivery) -> (PurchaseId, OfferId) {
        (delivery.purchase_id, delivery.offer_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/deliveries").filter("state", self.state)
    }
}

guildhall_common::examples! {
    AdminDelivery {
        "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "purchase_id": 12, "account_id": 3,
        "character_name": "Mira Stormborn", "offer_id": 4, "offer_name": "Health potion", "quantity": 2, "attempts": 1,
        "state": "delivered", "last_error": null, "due_at": "2030-01-31T12:00:00Z",
        "delivered_at": "2030-01-31T12:00:05Z"
    }
}
