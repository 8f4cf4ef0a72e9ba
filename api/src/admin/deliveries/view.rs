//! All deliveries. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::AccountId,
        character::CharacterName,
        shop::{DeliveryId, OfferId, PurchaseId},
    },
    invalid_value::InvalidValue,
};
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows, problem::Problem};

/// A delivery and its status.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminDelivery {
    pub delivery_id: DeliveryId,
    pub purchase_id: PurchaseId,
    /// The buyer.
    pub account_id: AccountId,
    /// Whether the account of the buyer is suspended. No game server gets an open delivery until the suspension ends.
    pub buyer_suspended: bool,
    pub character_name: String,
    pub offer_id: OfferId,
    pub offer_name: String,
    pub quantity: i32,
    /// The coins that the buyer paid for it.
    pub coins: i64,
    /// Whether the buyer got the coins back.
    pub returned: bool,
    /// The number of leases.
    pub attempts: i32,
    pub status: AdminDeliveryStatus,
    /// The old name of `status`, until 1.0.
    #[oai(deprecated)]
    pub state: AdminDeliveryStatus,
    /// The last error of a game server. Missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// The time from which a game server can lease it.
    pub due_at: DateTime<Utc>,
    /// Missing if it is not delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(crate) enum AdminDeliveryStatus {
    /// A game server has leased it, or can lease it unless the buyer is suspended.
    Open,
    Delivered,
    /// Refused too often. An administrator must resend or discard it.
    Parked,
    /// An administrator has given it up.
    Discarded,
}

/// The deliveries with a status, of a buyer or for a character, newest first. None selects all.
pub(super) struct DeliveryFilter {
    status: Option<AdminDeliveryStatus>,
    account_id: Option<AccountId>,
    character: Option<NamedCharacter>,
    purchase_id: Option<PurchaseId>,
}

/// The character with a name. The planner must know its id: many rows or few may have it.
struct NamedCharacter {
    name: CharacterName,
    /// 0 if no character has the name. No delivery has this id.
    character_id: i64,
}

impl NamedCharacter {
    async fn find(database: &PgPool, name: CharacterName) -> sqlx::Result<Self> {
        let found =
            sqlx::query_scalar!("select character_id from characters where name_key = lower($1)", &*name);
        let character_id = found.fetch_optional(database).await?.unwrap_or(0);
        Ok(Self { name, character_id })
    }
}

/// The parameters that select the deliveries of one buyer.
const BUYERS: [&str; 3] = ["account_id", "character", "purchase_id"];

impl DeliveryFilter {
    /// # Errors
    /// 400 when it names more than one of a buyer, a character and a purchase. No index has two of them, so a page could read all
    /// deliveries of one.
    pub(super) async fn find(
        database: &PgPool,
        status: Option<AdminDeliveryStatus>,
        account_id: Option<AccountId>,
        character: Option<CharacterName>,
        purchase_id: Option<PurchaseId>,
    ) -> Result<Self, Problem> {
        if account_id.is_some() && character.is_some() {
            let detail = "cannot be combined with account_id: send one of them";
            return Err(Problem::invalid("character", InvalidValue::at_most_one_of(&BUYERS, detail)));
        }
        if purchase_id.is_some() && (account_id.is_some() || character.is_some()) {
            let detail = "cannot be combined with account_id or character";
            return Err(Problem::invalid("purchase_id", InvalidValue::at_most_one_of(&BUYERS, detail)));
        }
        let character = match character {
            Some(name) => Some(NamedCharacter::find(database, name).await?),
            None => None,
        };
        Ok(Self { status, account_id, character, purchase_id })
    }

    fn character_id(&self) -> Option<i64> {
        self.character.as_ref().map(|character| character.character_id)
    }
}

impl List for DeliveryFilter {
    type Item = AdminDelivery;
    type Position = (PurchaseId, OfferId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from deliveries
                     where ($1::text is null or state = $1) and ($2::bigint is null or kept_account_id = $2)
                       and ($3::bigint is null or character_id = $3)
                       and purchase_id between coalesce($5, 0) and coalesce($5, 9223372036854775807)
                     limit $4) as counted"#,
            self.status as Option<AdminDeliveryStatus>,
            self.account_id as Option<AccountId>,
            self.character_id(),
            limit,
            self.purchase_id as Option<PurchaseId>,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(PurchaseId, OfferId)>,
    ) -> sqlx::Result<Vec<AdminDelivery>> {
        let end = rows.end();
        let (after_purchase, after_offer) = rows.after.unzip();
        sqlx::query_as!(
            AdminDelivery,
            // The indexes of a buyer and of a character are sorted within a state. The range of purchases is a part of their conditions.
            r#"select delivery_id as "delivery_id!: DeliveryId", purchase_id as "purchase_id!: PurchaseId",
                      purchase_lines.account_id as "account_id: AccountId",
                      (select suspended_until > now() from accounts
                       where accounts.account_id = purchase_lines.account_id) is true as "buyer_suspended!",
                      characters.name as character_name,
                      offer_id as "offer_id!: OfferId", purchase_lines.name as offer_name,
                      deliveries.quantity as "quantity!", price * deliveries.quantity as "coins!",
                      return_transfer_id is not null as "returned!", attempts as "attempts!", state as "status!: AdminDeliveryStatus", state as "state!: AdminDeliveryStatus",
                      last_error, due_at as "due_at!", delivered_at
               from (select delivery.*
                     from unnest(case when $1::text is null then array['open', 'delivered', 'parked', 'discarded'] else array[$1] end)
                         as states (name) cross join lateral (
                         select * from deliveries
                         where deliveries.state = states.name and ($2::bigint is null or kept_account_id = $2)
                           and ($3::bigint is null or character_id = $3)
                           and ($4::bigint is null or (purchase_id, offer_id) < ($4, $5::bigint))
                           and purchase_id between coalesce($9, 0) and coalesce($9, 9223372036854775807)
                         order by purchase_id desc, offer_id desc limit $6) as delivery
                     order by purchase_id desc, offer_id desc limit $7 offset $8) as deliveries
               join purchase_lines using (purchase_id, offer_id)
               join characters using (character_id)
               order by purchase_id desc, offer_id desc"#,
            self.status as Option<AdminDeliveryStatus>,
            self.account_id as Option<AccountId>,
            self.character_id(),
            after_purchase as Option<PurchaseId>,
            after_offer as Option<OfferId>,
            end,
            rows.limit,
            rows.offset,
            self.purchase_id as Option<PurchaseId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(delivery: &AdminDelivery) -> (PurchaseId, OfferId) {
        (delivery.purchase_id, delivery.offer_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/deliveries")
            .filter("status", self.status)
            .filter("account_id", self.account_id)
            .filter("character", self.character.as_ref().map(|character| &*character.name))
            .filter("purchase_id", self.purchase_id)
    }
}

guildhall_common::examples! {
    AdminDelivery {
        "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "purchase_id": 12, "account_id": 3,
        "buyer_suspended": false, "character_name": "Mira Stormborn", "offer_id": 4, "offer_name": "Health potion", "quantity": 2, "coins": 50,
        "returned": false, "attempts": 1,
        "status": "delivered", "state": "delivered", "last_error": null, "due_at": "2030-01-31T12:00:00Z",
        "delivered_at": "2030-01-31T12:00:05Z"
    }
}
