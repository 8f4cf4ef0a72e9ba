//! All payments, and the details of one. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::AccountId,
        notification::Provider,
        payment::{PaymentId, PaymentStatus},
        values::Limit,
    },
    money::{Currency, Money},
    payment_codes::Scheme,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::list::{List, Paging, page_query, parameter};

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
        }
    }
}

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
        limit: i64,
        offset: i64,
    ) -> sqlx::Result<Vec<AdminPayment>> {
        let rows = sqlx::query_as!(
            PaymentRow,
            r#"select payment_id as "payment_id!: PaymentId", account_id as "account_id!: AccountId",
                      accounts.name as account_name, status as "status!: PaymentStatus",
                      provider as "provider!: Provider", scheme as "scheme!: Scheme", reference as "reference!",
                      currency as "currency!: Currency", amount as "amount!", coins as "coins!",
                      payment_states.created_at as "created_at!", failure
               from payment_states join accounts using (account_id)
               where ($1::uuid is null or payment_id = $1) and ($2::text is null or status = $2)
                 and ($3::bigint is null or account_id = $3)
               order by payment_states.created_at desc, payment_id limit $4 offset $5"#,
            self.payment_id as Option<PaymentId>,
            self.status as Option<PaymentStatus>,
            self.account_id as Option<AccountId>,
            limit,
            offset,
        )
        .fetch_all(database)
        .await?;
        Ok(rows.into_iter().map(AdminPayment::from).collect())
    }
}

impl List for PaymentFilter {
    type Item = AdminPayment;

    /// Without a status it counts the rows of `payments`: the view would add up the receipts of each payment.
    async fn count(&self, database: &PgPool) -> sqlx::Result<i64> {
        let Some(status) = self.status else {
            return sqlx::query_scalar!(
                r#"select count(*) as "count!" from payments where $1::bigint is null or account_id = $1"#,
                self.account_id as Option<AccountId>,
            )
            .fetch_one(database)
            .await;
        };
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from payment_states
               where status = $1 and ($2::bigint is null or account_id = $2)"#,
            status as PaymentStatus,
            self.account_id as Option<AccountId>,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, paging: Paging) -> sqlx::Result<Vec<AdminPayment>> {
        self.select(database, paging.limit(), paging.offset()).await
    }

    fn path(&self, page: i64, limit: Limit) -> String {
        let query = page_query(page, limit);
        let filters = [parameter("status", self.status), parameter("account_id", self.account_id)];
        format!("/admin/payments?{query}{}", filters.concat())
    }
}

guildhall_common::examples! {
    AdminPayment {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
        "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z", "failure": null
    }
}
