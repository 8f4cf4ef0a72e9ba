//! All deliveries. Never cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::values::{Limit, Page};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    admin::stored,
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    payments::known,
    state::State,
};

/// Something bought, on its way.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminDelivery {
    pub delivery_id: Uuid,
    pub purchase_id: i64,
    pub account_id: i64,
    pub character_name: String,
    pub offer_name: String,
    pub quantity: i32,
    pub attempts: i32,
    pub state: DeliveryState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it may be handed out (again).
    pub due_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryState {
    Open,
    Delivered,
    Parked,
}

pub(super) async fn deliveries(
    state: &State,
    wanted: Option<DeliveryState>,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<AdminDelivery>>, Problem> {
    let wanted = stored(wanted);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from deliveries
           where $1::text is null or state = $1"#,
        wanted,
    )
    .fetch_one(&state.database)
    .await?;
    let rows = sqlx::query!(
        r#"select delivery_id, purchase_id, purchase_lines.account_id, characters.name as character_name,
                  purchase_lines.name as offer_name, deliveries.quantity, attempts, state, last_error,
                  due_at, delivered_at
           from deliveries join purchase_lines using (purchase_id, offer_id)
           join characters using (character_id)
           where $1::text is null or state = $1
           order by purchase_id desc, offer_id limit $2 offset $3"#,
        wanted,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let items = rows.into_iter().map(|row| {
        Ok(AdminDelivery {
            delivery_id: row.delivery_id,
            purchase_id: row.purchase_id,
            account_id: row.account_id,
            character_name: row.character_name,
            offer_name: row.offer_name,
            quantity: row.quantity,
            attempts: row.attempts,
            state: known(&row.state)?,
            last_error: row.last_error,
            due_at: row.due_at,
            delivered_at: row.delivered_at,
        })
    });
    ReadResponse::private_page(items.collect::<Result<_, Problem>>()?, page, limit, total)
}

guildhall_common::examples! {
    AdminDelivery {
        "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "purchase_id": 12, "account_id": 3,
        "character_name": "Mira Stormborn", "offer_name": "Health potion", "quantity": 2, "attempts": 1,
        "state": "delivered", "last_error": null, "due_at": "2030-01-31T12:00:00Z",
        "delivered_at": "2030-01-31T12:00:05Z"
    }
}
