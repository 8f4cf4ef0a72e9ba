//! All coin packages. Retired ones are private, so the list is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::coins::PackageId,
    money::{Currency, Money},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// A coin package, on sale or retired.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AdminCoinPackage {
    pub package_id: PackageId,
    pub name: String,
    pub price: Money,
    pub coins: i64,
    /// Smaller numbers come first.
    pub position: i32,
    /// Send it as `expected_version` of the next edit.
    pub version: i32,
    /// Missing while it is on sale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<DateTime<Utc>>,
}

/// All packages, newest first.
pub(super) struct AllPackages;

impl List for AllPackages {
    type Item = AdminCoinPackage;
    type Position = PackageId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from coin_packages limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<PackageId>,
    ) -> sqlx::Result<Vec<AdminCoinPackage>> {
        let rows = sqlx::query!(
            r#"select package_id as "package_id: PackageId", name, currency as "currency: Currency", amount, coins,
                      position, version, retired_at
               from coin_packages where $3::bigint is null or package_id < $3
               order by package_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            rows.after as Option<PackageId>,
        )
        .fetch_all(database)
        .await?;
        let packages = rows.into_iter().map(|row| AdminCoinPackage {
            package_id: row.package_id,
            name: row.name,
            price: Money::new(row.amount, row.currency),
            coins: row.coins,
            position: row.position,
            version: row.version,
            retired_at: row.retired_at,
        });
        Ok(packages.collect())
    }

    fn position(package: &AdminCoinPackage) -> PackageId {
        package.package_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/coins/packages")
    }
}

guildhall_common::examples! {
    AdminCoinPackage {
        "package_id": 1, "name": "A purse", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 260,
        "position": 10, "version": 1
    }
}
