//! Views of payments and of the price list, and their SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::Role,
        cache_key::CacheKey,
        coins::packages_key,
        payment::PaymentStatus,
        values::{Limit, Page},
    },
    money::Money,
    payment_codes::Scheme,
    platform::cache::Cacheable,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::{
    auth::Caller,
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse, page_body},
    },
    state::State,
};

/// Coins at a price.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct CoinPackage {
    pub package_id: i64,
    pub name: String,
    pub price: Money,
    pub coins: i64,
}

/// A payment as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PaymentState {
    pub payment_id: Uuid,
    pub status: PaymentStatus,
    pub scheme: Scheme,
    /// What is asked for.
    pub amount: Money,
    /// Coins for exactly that.
    pub coins: i64,
    /// What has come.
    pub received: Money,
    /// Coins that it has brought.
    pub credited: i64,
    /// What the QR code says; missing until the provider has taken the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

struct PackagesView(Page, Limit);

impl Cacheable for PackagesView {
    const TTL: Duration = Duration::from_secs(300);

    fn key(&self) -> CacheKey {
        packages_key()
    }

    fn field(&self) -> String {
        format!("{}:{}", self.0.get(), self.1.get())
    }
}

pub(super) async fn packages(
    state: &State,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<CoinPackage>>, Problem> {
    let load = async {
        let total =
            sqlx::query_scalar!(r#"select count(*) as "count!" from coin_packages where retired_at is null"#)
                .fetch_one(&state.database)
                .await?;
        let rows = sqlx::query!(
            "select package_id, name, currency, amount, coins from coin_packages where retired_at is null
             order by position, package_id limit $1 offset $2",
            limit.get(),
            page.offset(limit),
        )
        .fetch_all(&state.database)
        .await?;
        let items = rows.into_iter().map(|row| {
            let (package_id, name, coins) = (row.package_id, row.name, row.coins);
            Ok(CoinPackage { package_id, name, price: Money::new(row.amount, known(&row.currency)?), coins })
        });
        page_body(items.collect::<Result<_, Problem>>()?, page, limit, total)
    };
    let found = ReadResponse::cached(&state.cache, &PackagesView(page, limit), load).await?;
    Ok(found.linked(page, limit, |page| format!("/payments/packages?page={page}&limit={}", limit.get())))
}

/// A payment of the caller's own; any payment, for an administrator.
pub(super) async fn payment_for(state: &State, caller: &Caller, id: Uuid) -> Result<PaymentState, Problem> {
    let account_id = (!caller.is(Role::Admin)).then(|| caller.account_id());
    let row = sqlx::query!(
        r#"select payment_id as "payment_id!", status as "status!", scheme as "scheme!", currency as "currency!",
                  amount as "amount!", coins as "coins!", received as "received!", payload,
                  created_at as "created_at!", expires_at as "expires_at!",
                  (select coalesce(-sum(coin_entries.coins), 0)::bigint
                   from coin_transfers join coin_entries using (transfer_id)
                   where coin_transfers.payment_id = payment_states.payment_id and book = 'issued') as "credited!"
           from payment_states where payment_id = $1 and ($2::bigint is null or account_id = $2)"#,
        id,
        account_id,
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(payment_not_found)?;
    let currency = known(&row.currency)?;
    Ok(PaymentState {
        payment_id: row.payment_id,
        status: known(&row.status)?,
        scheme: known(&row.scheme)?,
        amount: Money::new(row.amount, currency),
        coins: row.coins,
        received: Money::new(row.received, currency),
        credited: row.credited,
        payload: row.payload,
        created_at: row.created_at,
        expires_at: row.expires_at,
    })
}

fn payment_not_found() -> Problem {
    Problem::not_found("payment_not_found", "There is no such payment of yours.")
}

/// Reads what the database writes as text: the workers write nothing else.
pub(crate) fn known<T: DeserializeOwned>(name: &str) -> Result<T, Problem> {
    serde_json::from_value(name.into())
        .map_err(|error| Problem::internal("a stored word is not known", &error))
}

guildhall_common::examples! {
    CoinPackage {
        "package_id": 1, "name": "A handful", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 250
    }
    PaymentState {
        "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "pending", "scheme": "pix",
        "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250,
        "received": { "amount": "0.00", "currency": "BRL" }, "credited": 0, "payload": null,
        "created_at": "2030-01-31T12:00:00Z", "expires_at": "2030-01-31T12:30:00Z"
    }
}
