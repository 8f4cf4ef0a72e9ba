//! All payments, and the details of one. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::AccountId,
        payment::{PaymentId, PaymentStatus},
        providers::Provider,
        values::Timestamp,
    },
    money::{Currency, Money},
    payment_codes::Scheme,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// A payment of an account.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminPayment {
    pub payment_id: PaymentId,
    pub account_id: AccountId,
    pub account_name: String,
    pub status: PaymentStatus,
    pub provider: Provider,
    pub scheme: Scheme,
    /// The id of the charge at the provider.
    pub reference: String,
    pub amount: Money,
    /// The coins that are credited when exactly the amount is paid.
    pub coins: i64,
    pub created_at: DateTime<Utc>,
    /// Why the charge could not be registered. Missing unless that happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The time by which the list is sorted, for cursors.
    #[serde(skip)]
    #[oai(skip)]
    pub listed_at: DateTime<Utc>,
}

struct PaymentRow {
    payment_id: PaymentId,
    account_id: AccountId,
    account_name: String,
    status: PaymentStatus,
    provider: Provider,
    scheme: Scheme,
    reference: String,
    currency: Currency,
    amount: i64,
    coins: i64,
    created_at: DateTime<Utc>,
    failure: Option<String>,
    listed_at: DateTime<Utc>,
}

impl From<PaymentRow> for AdminPayment {
    fn from(row: PaymentRow) -> Self {
        Self {
            payment_id: row.payment_id,
            account_id: row.account_id,
            account_name: row.account_name,
            status: row.status,
            provider: row.provider,
            scheme: row.scheme,
            reference: row.reference,
            amount: Money::new(row.amount, row.currency),
            coins: row.coins,
            created_at: row.created_at,
            failure: row.failure,
            listed_at: row.listed_at,
        }
    }
}

/// The time by which the list is sorted, and the id of the payment.
type PaymentPosition = (Timestamp, PaymentId);

/// The payments with an id, a status and an account, newest first. None selects all.
#[derive(Default)]
pub(super) struct PaymentFilter {
    pub payment_id: Option<PaymentId>,
    pub status: Option<PaymentStatus>,
    pub account_id: Option<AccountId>,
}

impl PaymentFilter {
    pub(super) async fn select(
        &self,
        database: &PgPool,
        rows: PageRows<PaymentPosition>,
    ) -> sqlx::Result<Vec<AdminPayment>> {
        if let Some(status) = self.status {
            return self.select_status(database, status, rows).await;
        }
        let (created_at, payment_id) = rows.after.map(|(at, id)| (at.0, id)).unzip();
        let rows = sqlx::query_as!(
            PaymentRow,
            r#"select payment_id as "payment_id: PaymentId", account_id as "account_id: AccountId",
                      accounts.name as account_name,
                      payment_status(kept_state, expires_at, now()) as "status!: PaymentStatus",
                      provider as "provider: Provider", scheme as "scheme: Scheme", reference,
                      currency as "currency: Currency", amount, coins, payments.created_at, failure,
                      payments.created_at as listed_at
               from (select * from payments
                     where ($1::uuid is null or payment_id = $1) and ($2::bigint is null or account_id = $2)
                       and ($5::timestamptz is null or (created_at, payment_id) < ($5, $6::uuid))
                     order by created_at desc, payment_id desc limit $3 offset $4) as payments
               join accounts using (account_id)
               order by payments.created_at desc, payment_id desc"#,
            self.payment_id as Option<PaymentId>,
            self.account_id as Option<AccountId>,
            rows.limit,
            rows.offset,
            created_at,
            payment_id as Option<PaymentId>,
        )
        .fetch_all(database)
        .await?;
        Ok(rows.into_iter().map(AdminPayment::from).collect())
    }

    /// The order is that of `listed_at`: an index then separates open payments from expired ones, which have the same states.
    async fn select_status(
        &self,
        database: &PgPool,
        status: PaymentStatus,
        rows: PageRows<PaymentPosition>,
    ) -> sqlx::Result<Vec<AdminPayment>> {
        let end = rows.end();
        let (listed_at, payment_id) = rows.after.map(|(at, id)| (at.0, id)).unzip();
        let rows = sqlx::query_as!(
            PaymentRow,
            r#"with bounds as materialized (
                   select case when $1::text in ('created', 'pending') then now() else '-infinity' end as above,
                          case when is_past then coalesce($6, 'infinity') else now() end as below,
                          case when is_past then coalesce($7::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                               else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end as below_id
                   from (select $1 <> 'expired' or coalesce($6::timestamptz, 'infinity') <= now() as is_past) as place
               )
               select payment_id as "payment_id!: PaymentId", account_id as "account_id!: AccountId",
                      accounts.name as account_name,
                      payment_status(kept_state, expires_at, now()) as "status!: PaymentStatus",
                      provider as "provider!: Provider", scheme as "scheme!: Scheme", reference as "reference!",
                      currency as "currency!: Currency", amount as "amount!", coins as "coins!",
                      payments.created_at as "created_at!", failure, listed_at as "listed_at!"
               from (select payment.* from unnest(case when $1 = 'expired' then array['created', 'pending'] else array[$1] end)
                         as states (name) cross join bounds cross join lateral (
                         select * from payments
                         where payments.kept_state = states.name and ($2::bigint is null or account_id = $2)
                           and listed_at > bounds.above and (listed_at, payment_id) < (bounds.below, bounds.below_id)
                         order by listed_at desc, payment_id desc limit $5) as payment
                     order by listed_at desc, payment_id desc limit $3 offset $4) as payments
               join accounts using (account_id)
               order by listed_at desc, payment_id desc"#,
            status as PaymentStatus,
            self.account_id as Option<AccountId>,
            rows.limit,
            rows.offset,
            end,
            listed_at,
            payment_id as Option<PaymentId>,
        )
        .fetch_all(database)
        .await?;
        Ok(rows.into_iter().map(AdminPayment::from).collect())
    }
}

impl List for PaymentFilter {
    type Item = AdminPayment;
    type Position = PaymentPosition;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from payments
                     where ($1::text is null
                            or kept_state = any(case when $1 = 'expired' then array['created', 'pending'] else array[$1] end))
                       and ($1 is null or $1 not in ('created', 'pending') or listed_at > now())
                       and ($1 is null or $1 <> 'expired' or listed_at <= now())
                       and ($2::bigint is null or account_id = $2)
                     limit $3) as counted"#,
            self.status as Option<PaymentStatus>,
            self.account_id as Option<AccountId>,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<PaymentPosition>,
    ) -> sqlx::Result<Vec<AdminPayment>> {
        self.select(database, rows).await
    }

    fn position(payment: &AdminPayment) -> PaymentPosition {
        (Timestamp(payment.listed_at), payment.payment_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/payments")
            .filter("status", self.status)
            .filter("account_id", self.account_id)
    }
}

guildhall_common::examples! {
    AdminPayment {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
        "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z", "failure": null
    }
}
