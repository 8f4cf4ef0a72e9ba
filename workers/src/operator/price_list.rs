//! What coins cost. An operator's to set; each payment keeps the price it was made at.

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::coins::packages_key,
    money::{Currency, Money},
    platform::db,
};
use serde_json::json;
use sqlx::{PgConnection, PgPool};

use crate::{app::App, engine::audit};

/// All that is and was sold.
#[derive(Debug)]
pub struct PriceList {
    pub rates: Vec<Rate>,
    pub packages: Vec<Package>,
}

#[derive(Debug)]
pub struct Rate {
    pub price: Money,
    pub coins: i64,
}

#[derive(Debug)]
pub struct Package {
    pub package_id: i64,
    pub name: String,
    pub price: Money,
    pub coins: i64,
    pub retired: bool,
}

/// # Errors
/// The database's.
pub async fn read(database: &PgPool) -> anyhow::Result<PriceList> {
    let rates = sqlx::query!("select currency, amount, coins from coin_rates order by currency")
        .fetch_all(database)
        .await?;
    let packages = sqlx::query!(
        r#"select package_id, name, currency, amount, coins, retired_at is not null as "retired!"
           from coin_packages order by retired_at is not null, position, package_id"#,
    )
    .fetch_all(database)
    .await?;
    let rates = rates.into_iter().map(|row| {
        Ok(Rate { price: Money::new(row.amount, row.currency.parse::<Currency>()?), coins: row.coins })
    });
    let packages = packages.into_iter().map(|row| {
        Ok(Package {
            package_id: row.package_id,
            name: row.name,
            price: Money::new(row.amount, row.currency.parse::<Currency>()?),
            coins: row.coins,
            retired: row.retired,
        })
    });
    Ok(PriceList {
        rates: rates.collect::<anyhow::Result<_>>()?,
        packages: packages.collect::<anyhow::Result<_>>()?,
    })
}

/// Sets what coins are worth beside the packages, in one currency.
///
/// # Errors
/// When there would be no coins for it.
pub async fn set_rate(site: &App, price: Money, coins: i64) -> anyhow::Result<()> {
    ensure!(coins > 0, "a rate is of one coin at least");
    let mut transaction = db::begin(&site.database).await?;
    sqlx::query!(
        "insert into coin_rates (currency, amount, coins) values ($1, $2, $3)
         on conflict (currency) do update set amount = excluded.amount, coins = excluded.coins",
        price.currency().code(),
        price.minor(),
        coins,
    )
    .execute(&mut *transaction)
    .await?;
    audit::write(&mut transaction, None, "coins.rate", json!({ "price": price, "coins": coins }), None)
        .await?;
    Ok(transaction.commit().await?)
}

/// Sells a package; answers its id.
///
/// # Errors
/// When its currency has no rate, or it would have no coins.
pub async fn add_package(
    site: &App,
    name: &str,
    price: Money,
    coins: i64,
    position: i32,
) -> anyhow::Result<i64> {
    ensure!(coins > 0, "a package has one coin at least");
    ensure!((1..=60).contains(&name.chars().count()), "a name has 1 to 60 characters");
    let mut transaction = db::begin(&site.database).await?;
    let package_id = insert_package(&mut transaction, name, price, coins, position)
        .await
        .with_context(|| format!("the package cannot be sold; has {} a rate?", price.currency()))?;
    let details = json!({ "package_id": package_id, "name": name, "price": price, "coins": coins });
    audit::write(&mut transaction, None, "coins.add_package", details, None).await?;
    transaction.commit().await?;
    site.cache.invalidate_or_suspend(&site.database, &[packages_key()]).await?;
    Ok(package_id)
}

pub(crate) async fn insert_package(
    database: &mut PgConnection,
    name: &str,
    price: Money,
    coins: i64,
    position: i32,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        "insert into coin_packages (name, currency, amount, coins, position) values ($1, $2, $3, $4, $5)
         returning package_id",
        name,
        price.currency().code(),
        price.minor(),
        coins,
        position,
    )
    .fetch_one(database)
    .await
}

/// Sells it no more; payments that were asked for can still be made.
///
/// # Errors
/// When there is no such package on sale.
pub async fn retire_package(site: &App, package_id: i64) -> anyhow::Result<()> {
    let mut transaction = db::begin(&site.database).await?;
    let retired = sqlx::query!(
        "update coin_packages set retired_at = now() where package_id = $1 and retired_at is null",
        package_id,
    )
    .execute(&mut *transaction)
    .await?;
    ensure!(retired.rows_affected() == 1, "there is no package {package_id} on sale");
    audit::write(&mut transaction, None, "coins.retire_package", json!({ "package_id": package_id }), None)
        .await?;
    transaction.commit().await?;
    Ok(site.cache.invalidate_or_suspend(&site.database, &[packages_key()]).await?)
}
