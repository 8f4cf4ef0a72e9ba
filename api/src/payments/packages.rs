//! The price list: the coin packages on sale.

use std::time::Duration;

use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        coins::{PackageId, packages_key},
    },
    money::{Currency, Money},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{
    list::{CachedList, List},
    list_address::ListAddress,
    paging::PageRows,
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

guildhall_common::examples! {
    CoinPackage {
        "package_id": 1, "name": "A handful", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 250
    }
}
