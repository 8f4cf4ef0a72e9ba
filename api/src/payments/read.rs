//! Views of payments and of the price list: their SELECTs and cache entries.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::{AccountId, Role},
        cache_key::CacheKey,
        coins::{PackageId, packages_key},
        command::Refusal,
        payment::{PaymentId, PaymentRefusal, PaymentStatus},
    },
    money::{Currency, Money},
    payment_codes::Scheme,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::Caller,
    http::{
        list::{CachedList, List},
        list_address::ListAddress,
        paging::PageRows,
        problem::Problem,
    },
};

/// A number of coins at a price.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct CoinPackage {
    pub package_id: PackageId,
    pub name: String,
    pub price: Money,
    pub coins: i64,
    /// Smaller numbers come first.
    #[serde(skip)]
    #[oai(skip)]
    pub position: i32,
}

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

/// The coin packages on sale, in the order of the price list.
pub(super) struct PackageList;

impl List for PackageList {
    type Item = CoinPackage;
    type Position = (i32, PackageId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from coin_packages where retired_at is null limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(i32, PackageId)>,
    ) -> sqlx::Result<Vec<CoinPackage>> {
        let (position, package_id) = rows.after.unzip();
        let rows = sqlx::query!(
            r#"select package_id as "package_id: PackageId", name, currency as "currency: Currency", amount, coins,
                      position
               from coin_packages
               where retired_at is null and ($3::int is null or (position, package_id) > ($3, $4::bigint))
               order by position, package_id limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            position,
            package_id as Option<PackageId>,
        )
        .fetch_all(database)
        .await?;
        let packages = rows.into_iter().map(|row| CoinPackage {
            package_id: row.package_id,
            name: row.name,
            price: Money::new(row.amount, row.currency),
            coins: row.coins,
            position: row.position,
        });
        Ok(packages.collect())
    }

    fn position(package: &CoinPackage) -> (i32, PackageId) {
        (package.position, package.package_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/payments/packages")
    }
}

impl CachedList for PackageList {
    const TTL: Duration = Duration::from_secs(300);

    fn key(&self) -> CacheKey {
        packages_key()
    }
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
    let row = sqlx::query!(
        r#"select payment_id as "payment_id!: PaymentId", status as "status!: PaymentStatus",
                  scheme as "scheme!: Scheme", currency as "currency!: Currency", amount as "amount!",
                  coins as "coins!", received as "received!", payload,
                  created_at as "created_at!", expires_at as "expires_at!",
                  (select coalesce(-sum(coin_entries.coins), 0)::bigint
                   from coin_transfers join coin_entries using (transfer_id)
                   where coin_transfers.payment_id = payment_states.payment_id and book = 'issued') as "credited!"
           from payment_states where payment_id = $1 and ($2::bigint is null or account_id = $2)"#,
        id.get(),
        account_id as Option<AccountId>,
    )
    .fetch_optional(database)
    .await?
    .ok_or_else(|| PaymentRefusal::PaymentNotFound.refused())?;
    Ok(PaymentState {
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
    })
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
