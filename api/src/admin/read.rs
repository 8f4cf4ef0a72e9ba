//! What administrators see, and its SELECTs. Never cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    money::Money,
    nullable::Nullable,
    payments::{PaymentStatus, Provider, Scheme},
    values::{Limit, Page},
};
use poem_openapi::{Enum, Object, types::Any};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    State,
    payments::known,
    problem::Problem,
    read::{Found, Listing},
};

/// A payment in a list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AnyPayment {
    pub payment_id: Uuid,
    pub account_id: i64,
    pub account_name: String,
    pub status: PaymentStatus,
    pub provider: Provider,
    pub scheme: Scheme,
    /// What the provider knows it by.
    pub reference: String,
    pub amount: Money,
    pub coins: i64,
    pub created_at: DateTime<Utc>,
}

/// A payment with all that is in the books about it.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PaymentBooks {
    pub payment: AnyPayment,
    pub receipts: Vec<Receipt>,
    pub refunds: Vec<Refund>,
    pub notifications: Vec<ToldNotification>,
    pub coins: Vec<CoinMovement>,
}

/// Money that came.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct Receipt {
    pub receipt_id: i64,
    pub end_to_end_id: String,
    /// In minor units of the currency.
    pub minor_units: i64,
    pub currency: String,
    pub received_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
    /// Why no coins were credited for it; null unless somebody has to look.
    pub held_because: Nullable<String>,
}

/// Money that went back.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct Refund {
    pub refund_id: String,
    pub receipt_id: i64,
    /// `refund`, or `reversal` by the payment scheme.
    pub kind: String,
    /// In minor units of the currency.
    pub minor_units: i64,
    /// `pending`, `done` or `failed`.
    pub state: String,
    pub reason: String,
    pub requested_at: DateTime<Utc>,
    pub settled_at: Nullable<DateTime<Utc>>,
}

/// Coins that were credited, or taken back.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct CoinMovement {
    pub transfer_id: i64,
    pub kind: String,
    pub coins: i64,
    pub transferred_at: DateTime<Utc>,
}

/// What a provider told.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct ToldNotification {
    pub notification_id: i64,
    pub provider: Provider,
    pub state: NotificationState,
    /// The payment that it names; null if it names none.
    pub reference: Nullable<String>,
    /// Why it was parked; null unless it was.
    pub reason: Nullable<String>,
    /// How often it was told.
    pub times: i32,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    /// As it was told.
    pub body: Any<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotificationState {
    /// Being looked into.
    Open,
    /// The books agree with it.
    Settled,
    /// Somebody has to look.
    Parked,
}

/// Something bought, on its way.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AnyDelivery {
    pub delivery_id: Uuid,
    pub purchase_id: i64,
    pub account_id: i64,
    pub character_name: String,
    pub offer_name: String,
    pub quantity: i32,
    pub attempts: i32,
    pub state: DeliveryState,
    pub last_error: Nullable<String>,
    /// When it may be handed out (again).
    pub due_at: DateTime<Utc>,
    pub delivered_at: Nullable<DateTime<Utc>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryState {
    Open,
    Delivered,
    Parked,
}

/// What somebody with power did.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct Deed {
    pub audit_id: i64,
    /// Null: an operator, at the command line.
    pub account_id: Nullable<i64>,
    pub action: String,
    pub details: Any<Value>,
    pub done_at: DateTime<Utc>,
}

/// The name by which the database knows a word of the API.
fn stored(word: Option<impl Serialize>) -> Option<String> {
    serde_json::to_value(word?).ok()?.as_str().map(ToOwned::to_owned)
}

struct PaymentRow {
    payment_id: Uuid,
    account_id: i64,
    account_name: String,
    status: String,
    provider: String,
    scheme: String,
    reference: String,
    currency: String,
    amount: i64,
    coins: i64,
    created_at: DateTime<Utc>,
}

impl PaymentRow {
    fn payment(self) -> Result<AnyPayment, Problem> {
        Ok(AnyPayment {
            payment_id: self.payment_id,
            account_id: self.account_id,
            account_name: self.account_name,
            status: known(&self.status)?,
            provider: known(&self.provider)?,
            scheme: known(&self.scheme)?,
            reference: self.reference,
            amount: Money::new(self.amount, known(&self.currency)?),
            coins: self.coins,
            created_at: self.created_at,
        })
    }
}

/// Which payments of the site.
pub(super) struct Wanted {
    pub(super) payment_id: Option<Uuid>,
    pub(super) status: Option<PaymentStatus>,
    pub(super) account_id: Option<i64>,
}

impl Wanted {
    async fn select(&self, state: &State, limit: i64, offset: i64) -> Result<Vec<AnyPayment>, Problem> {
        let rows = sqlx::query_as!(
            PaymentRow,
            r#"select payment_id as "payment_id!", account_id as "account_id!", accounts.name as account_name,
                      status as "status!", provider as "provider!", scheme as "scheme!", reference as "reference!",
                      currency as "currency!", amount as "amount!", coins as "coins!",
                      payment_states.created_at as "created_at!"
               from payment_states join accounts using (account_id)
               where ($1::uuid is null or payment_id = $1) and ($2::text is null or status = $2)
                 and ($3::bigint is null or account_id = $3)
               order by payment_states.created_at desc, payment_id limit $4 offset $5"#,
            self.payment_id,
            stored(self.status),
            self.account_id,
            limit,
            offset,
        )
        .fetch_all(&state.database)
        .await?;
        rows.into_iter().map(PaymentRow::payment).collect()
    }

    pub(super) async fn page(
        &self,
        state: &State,
        page: Page,
        limit: Limit,
    ) -> Result<Found<Listing<AnyPayment>>, Problem> {
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from payment_states
               where ($1::text is null or status = $1) and ($2::bigint is null or account_id = $2)"#,
            stored(self.status),
            self.account_id,
        )
        .fetch_one(&state.database)
        .await?;
        Found::private_page(self.select(state, limit.get(), page.offset(limit)).await?, page, limit, total)
    }

    /// The one payment that is wanted, with its books.
    pub(super) async fn books(&self, state: &State) -> Result<Found<PaymentBooks>, Problem> {
        let payment = self.select(state, 1, 0).await?.pop();
        let payment =
            payment.ok_or_else(|| Problem::not_found("payment_not_found", "There is no such payment."))?;
        let id = payment.payment_id;
        let books = sqlx::query!(
            r#"select
                 (select coalesce(jsonb_agg(jsonb_build_object(
                      'receipt_id', receipt_id, 'end_to_end_id', end_to_end_id, 'minor_units', amount,
                      'currency', currency, 'received_at', received_at, 'recorded_at', recorded_at,
                      'held_because', held_because) order by receipt_id), '[]')
                  from receipts where payment_id = $1) as "receipts!: Json<Vec<Receipt>>",
                 (select coalesce(jsonb_agg(jsonb_build_object(
                      'refund_id', refund_id, 'receipt_id', receipt_id, 'kind', kind, 'minor_units', refunds.amount,
                      'state', state, 'reason', reason, 'requested_at', requested_at, 'settled_at', settled_at)
                      order by requested_at, refund_id), '[]')
                  from refunds join receipts using (receipt_id)
                  where payment_id = $1) as "refunds!: Json<Vec<Refund>>",
                 (select coalesce(jsonb_agg(jsonb_build_object(
                      'transfer_id', transfer_id, 'kind', kind, 'coins', coin_entries.coins,
                      'transferred_at', transferred_at) order by transfer_id), '[]')
                  from coin_transfers join coin_entries using (transfer_id)
                  where payment_id = $1 and book = 'player') as "coins!: Json<Vec<CoinMovement>>""#,
            id,
        )
        .fetch_one(&state.database)
        .await?;
        let told = Told { state: None, reference: Some(payment.reference.clone()) };
        Found::private(&PaymentBooks {
            payment,
            receipts: books.receipts.0,
            refunds: books.refunds.0,
            notifications: told.select(state, 100, 0).await?,
            coins: books.coins.0,
        })
    }
}

/// Which notifications.
pub(super) struct Told {
    pub(super) state: Option<NotificationState>,
    pub(super) reference: Option<String>,
}

impl Told {
    async fn select(&self, state: &State, limit: i64, offset: i64) -> Result<Vec<ToldNotification>, Problem> {
        let rows = sqlx::query!(
            r#"select notification_id, provider, state as "state!", reference, reason, times, first_at, last_at,
                      body as "body: Json<Value>"
               from payment_notifications
               cross join lateral (select case when settled_at is not null then 'settled'
                                               when parked_at is not null then 'parked' else 'open' end as state) as now
               where ($1::text is null or state = $1) and ($2::text is null or reference = $2)
               order by notification_id desc limit $3 offset $4"#,
            stored(self.state),
            self.reference,
            limit,
            offset,
        )
        .fetch_all(&state.database)
        .await?;
        let told = rows.into_iter().map(|row| {
            Ok(ToldNotification {
                notification_id: row.notification_id,
                provider: known(&row.provider)?,
                state: known(&row.state)?,
                reference: row.reference.into(),
                reason: row.reason.into(),
                times: row.times,
                first_at: row.first_at,
                last_at: row.last_at,
                body: Any(row.body.0),
            })
        });
        told.collect()
    }

    pub(super) async fn page(
        &self,
        state: &State,
        page: Page,
        limit: Limit,
    ) -> Result<Found<Listing<ToldNotification>>, Problem> {
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from payment_notifications
               where $1::text is null or $1 = case when settled_at is not null then 'settled'
                                                   when parked_at is not null then 'parked' else 'open' end"#,
            stored(self.state),
        )
        .fetch_one(&state.database)
        .await?;
        Found::private_page(self.select(state, limit.get(), page.offset(limit)).await?, page, limit, total)
    }
}

pub(super) async fn deliveries(
    state: &State,
    wanted: Option<DeliveryState>,
    page: Page,
    limit: Limit,
) -> Result<Found<Listing<AnyDelivery>>, Problem> {
    let wanted = stored(wanted);
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from deliveries
           where $1::text is null or $1 = case when delivered_at is not null then 'delivered'
                                               when parked_at is not null then 'parked' else 'open' end"#,
        wanted,
    )
    .fetch_one(&state.database)
    .await?;
    let rows = sqlx::query!(
        r#"select delivery_id, purchase_id, purchase_lines.account_id, characters.name as character_name,
                  purchase_lines.name as offer_name, deliveries.quantity, attempts, state as "state!", last_error,
                  due_at, delivered_at
           from deliveries join purchase_lines using (purchase_id, offer_id)
           join characters using (character_id)
           cross join lateral (select case when delivered_at is not null then 'delivered'
                                           when parked_at is not null then 'parked' else 'open' end as state) as now
           where $1::text is null or state = $1
           order by purchase_id desc, offer_id limit $2 offset $3"#,
        wanted,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let items = rows.into_iter().map(|row| {
        Ok(AnyDelivery {
            delivery_id: row.delivery_id,
            purchase_id: row.purchase_id,
            account_id: row.account_id,
            character_name: row.character_name,
            offer_name: row.offer_name,
            quantity: row.quantity,
            attempts: row.attempts,
            state: known(&row.state)?,
            last_error: row.last_error.into(),
            due_at: row.due_at,
            delivered_at: row.delivered_at.into(),
        })
    });
    Found::private_page(items.collect::<Result<_, Problem>>()?, page, limit, total)
}

pub(super) async fn deeds(state: &State, page: Page, limit: Limit) -> Result<Found<Listing<Deed>>, Problem> {
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from audit_log"#)
        .fetch_one(&state.database)
        .await?;
    let rows = sqlx::query!(
        "select audit_id, account_id, action, details, done_at from audit_log
         order by audit_id desc limit $1 offset $2",
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    let items = rows.into_iter().map(|row| Deed {
        audit_id: row.audit_id,
        account_id: row.account_id.into(),
        action: row.action,
        details: Any(row.details),
        done_at: row.done_at,
    });
    Found::private_page(items.collect(), page, limit, total)
}

guildhall_common::examples! {
    AnyPayment {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
        "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z"
    }
    PaymentBooks {
        "payment": {
            "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
            "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
            "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z"
        },
        "receipts": [{
            "receipt_id": 1, "end_to_end_id": "E12345678202009091221abcdef12345", "minor_units": 2500, "currency": "BRL",
            "received_at": "2030-01-31T12:05:00Z", "recorded_at": "2030-01-31T12:05:01Z", "held_because": null
        }],
        "refunds": [], "notifications": [],
        "coins": [{ "transfer_id": 1, "kind": "credit", "coins": 250, "transferred_at": "2030-01-31T12:05:01Z" }]
    }
    ToldNotification {
        "notification_id": 7, "provider": "api_pix", "state": "parked", "reference": null,
        "reason": "it names no charge (txid)", "times": 1, "first_at": "2030-01-31T12:00:00Z",
        "last_at": "2030-01-31T12:00:00Z", "body": { "endToEndId": "E12345678202009091221abcdef12345" }
    }
    AnyDelivery {
        "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "purchase_id": 12, "account_id": 3,
        "character_name": "Mira Stormborn", "offer_name": "Health potion", "quantity": 2, "attempts": 1,
        "state": "delivered", "last_error": null, "due_at": "2030-01-31T12:00:00Z",
        "delivered_at": "2030-01-31T12:00:05Z"
    }
    Deed {
        "audit_id": 1, "account_id": 1, "action": "coins.adjust",
        "details": { "account_id": 3, "coins": 100, "reason": "Won the contest." }, "done_at": "2030-01-31T12:00:00Z"
    }
}
