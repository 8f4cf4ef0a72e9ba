//! The payments of the caller. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::{AccountId, Role},
        command::Refusal,
        payment::{PaymentId, PaymentRefusal, PaymentStatus},
        values::Timestamp,
    },
    money::{Currency, Money},
    payment_codes::Scheme,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::Caller,
    http::{list::List, list_address::ListAddress, paging::PageRows, problem::Problem},
};

/// A payment and its current status.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PaymentState {
    pub payment_id: PaymentId,
    pub status: PaymentStatus,
    pub scheme: Scheme,
    /// The amount to pay.
    pub amount: Money,
    /// The coins that are credited when exactly the amount is paid.
    pub coins: i64,
    /// The amount that was received.
    pub received: Money,
    /// The coins that were credited.
    pub credited: i64,
    /// The payload of the QR code. Missing until the provider has registered the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Loads a payment of the caller. An administrator may load any payment.
///
/// # Errors
/// 404 when it does not exist or belongs to another account; 503 when the database does not respond.
pub(super) async fn payment_for(
    database: &PgPool,
    caller: &Caller,
    id: PaymentId,
) -> Result<PaymentState, Problem> {
    let account_id = if caller.is(Role::Admin) { None } else { Some(caller.account_id()?) };
    let payment = select_payments(database, account_id, Some(id), PageRows::first(1)).await?.pop();
    payment.ok_or_else(|| PaymentRefusal::PaymentNotFound.refused().into())
}

/// The payments of an account, newest first.
pub(super) struct PaymentList {
    pub account_id: AccountId,
}

impl List for PaymentList {
    type Item = PaymentState;
    type Position = (Timestamp, PaymentId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from payments where account_id = $1 limit $2) as counted"#,
            self.account_id.get(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(Timestamp, PaymentId)>,
    ) -> sqlx::Result<Vec<PaymentState>> {
        select_payments(database, Some(self.account_id), None, rows).await
    }

    fn position(payment: &PaymentState) -> (Timestamp, PaymentId) {
        (Timestamp(payment.created_at), payment.payment_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/payments/list")
    }
}

/// The payments with an account and an id, newest first. None selects all.
///
/// `offset 0` keeps the planner from joining the view before it has the page: the money is read only for the payments of the page.
async fn select_payments(
    database: &PgPool,
    account_id: Option<AccountId>,
    payment_id: Option<PaymentId>,
    rows: PageRows<(Timestamp, PaymentId)>,
) -> sqlx::Result<Vec<PaymentState>> {
    let (after_time, after_id) = rows.after.map(|(at, id)| (at.0, id)).unzip();
    let rows = sqlx::query!(
        r#"select state.payment_id as "payment_id!: PaymentId", status as "status!: PaymentStatus",
                  scheme as "scheme!: Scheme", currency as "currency!: Currency", amount as "amount!",
                  coins as "coins!", received as "received!", payload,
                  created_at as "created_at!", expires_at as "expires_at!",
                  (select coalesce(-sum(coin_entries.coins), 0)::bigint
                   from coin_transfers join coin_entries using (transfer_id)
                   where coin_transfers.payment_id = state.payment_id and book = 'issued') as "credited!"
           from (select payment_id from payments
                 where ($1::bigint is null or account_id = $1) and ($2::uuid is null or payment_id = $2)
                   and ($5::timestamptz is null or (created_at, payment_id) < ($5, $6::uuid))
                 order by created_at desc, payment_id desc limit $3 offset $4) as page
           cross join lateral (
               select * from payment_states where payment_states.payment_id = page.payment_id offset 0) as state
           order by created_at desc, state.payment_id desc"#,
        account_id as Option<AccountId>,
        payment_id as Option<PaymentId>,
        rows.limit,
        rows.offset,
        after_time,
        after_id as Option<PaymentId>,
    )
    .fetch_all(database)
    .await?;
    let payments = rows.into_iter().map(|row| PaymentState {
        payment_id: row.payment_id,
        status: row.status,
        scheme: row.scheme,
        amount: Money::new(row.amount, row.currency),
        coins: row.coins,
        received: Money::new(row.received, row.currency),
        credited: row.credited,
        payload: row.payload,
        created_at: row.created_at,
        expires_at: row.expires_at,
    });
    Ok(payments.collect())
}

guildhall_common::examples! {
    PaymentState {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "pending", "scheme": "pix",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250,
        "received": { "amount": "0.00", "currency": "BRL" }, "credited": 0, "payload": null,
        "created_at": "2030-01-31T12:00:00Z", "expires_at": "2030-01-31T12:30:00Z"
    }
}
