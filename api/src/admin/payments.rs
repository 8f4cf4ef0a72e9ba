//! All payments, and the books of one. Never cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        notification::Provider,
        payment::PaymentStatus,
        values::{Limit, Page},
    },
    money::Money,
    payment_codes::Scheme,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    admin::{
        notifications::{NotificationFilter, StoredNotification},
        stored,
    },
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    payments::known,
    state::State,
};

/// A payment in a list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminPayment {
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
    /// Why it could not be made; missing unless that happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A payment with all that is in the books about it.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PaymentBooks {
    pub payment: AdminPayment,
    pub receipts: Vec<Receipt>,
    pub refunds: Vec<Refund>,
    pub notifications: Vec<StoredNotification>,
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
    /// Why no coins were credited for it; missing unless somebody has to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_because: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<DateTime<Utc>>,
}

/// Coins that were credited, or taken back.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct CoinMovement {
    pub transfer_id: i64,
    pub kind: String,
    pub coins: i64,
    pub transferred_at: DateTime<Utc>,
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
    failure: Option<String>,
}

impl PaymentRow {
    fn payment(self) -> Result<AdminPayment, Problem> {
        Ok(AdminPayment {
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
            failure: self.failure,
        })
    }
}

/// Which payments of the site.
pub(super) struct PaymentFilter {
    pub(super) payment_id: Option<Uuid>,
    pub(super) status: Option<PaymentStatus>,
    pub(super) account_id: Option<i64>,
}

impl PaymentFilter {
    async fn select(&self, state: &State, limit: i64, offset: i64) -> Result<Vec<AdminPayment>, Problem> {
        let rows = sqlx::query_as!(
            PaymentRow,
            r#"select payment_id as "payment_id!", account_id as "account_id!", accounts.name as account_name,
                      status as "status!", provider as "provider!", scheme as "scheme!", reference as "reference!",
                      currency as "currency!", amount as "amount!", coins as "coins!",
                      payment_states.created_at as "created_at!", failure
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

    /// Without a status nothing needs to be summed up.
    async fn count(&self, state: &State) -> sqlx::Result<i64> {
        let Some(status) = stored(self.status) else {
            return sqlx::query_scalar!(
                r#"select count(*) as "count!" from payments where $1::bigint is null or account_id = $1"#,
                self.account_id,
            )
            .fetch_one(&state.database)
            .await;
        };
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from payment_states
               where status = $1 and ($2::bigint is null or account_id = $2)"#,
            status,
            self.account_id,
        )
        .fetch_one(&state.database)
        .await
    }

    pub(super) async fn page(
        &self,
        state: &State,
        page: Page,
        limit: Limit,
    ) -> Result<ReadResponse<ListPage<AdminPayment>>, Problem> {
        let total = self.count(state).await?;
        ReadResponse::private_page(
            self.select(state, limit.get(), page.offset(limit)).await?,
            page,
            limit,
            total,
        )
    }

    /// The one payment that is wanted, with its books.
    pub(super) async fn books(&self, state: &State) -> Result<ReadResponse<PaymentBooks>, Problem> {
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
        let told = NotificationFilter { state: None, reference: Some(payment.reference.clone()) };
        ReadResponse::private(&PaymentBooks {
            payment,
            receipts: books.receipts.0,
            refunds: books.refunds.0,
            notifications: told.select(state, 100, 0).await?,
            coins: books.coins.0,
        })
    }
}

guildhall_common::examples! {
    AdminPayment {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
        "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z", "failure": null
    }
    PaymentBooks {
        "payment": {
            "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
            "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
            "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z", "failure": null
        },
        "receipts": [{
            "receipt_id": 1, "end_to_end_id": "E12345678202009091221abcdef12345", "minor_units": 2500, "currency": "BRL",
            "received_at": "2030-01-31T12:05:00Z", "recorded_at": "2030-01-31T12:05:01Z", "held_because": null
        }],
        "refunds": [], "notifications": [],
        "coins": [{ "transfer_id": 1, "kind": "credit", "coins": 250, "transferred_at": "2030-01-31T12:05:01Z" }]
    }
}
