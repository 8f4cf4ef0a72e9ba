//! The price list of coins. A payment keeps the price at which it was created.

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::coins::{PackageId, packages_key},
    money::{Currency, Money},
    platform::db,
};
use serde_json::json;
use sqlx::{PgConnection, PgPool};

use crate::{app::App, engine::audit::Entry};

/// The rates, and all packages including retired ones.
#[derive(Debug)]
pub struct PriceList {
    pub rates: Vec<Rate>,
    pub packages: Vec<Package>,
}

/// The price of coins outside of packages, in one currency.
#[derive(Debug)]
pub struct Rate {
    pub price: Money,
    pub coins: i64,
}

/// A number of coins with a price of its own.
#[derive(Debug)]
pub struct Package {
    pub package_id: PackageId,
    pub name: String,
    pub price: Money,
    pub coins: i64,
    pub retired: bool,
}

/// Reads the price list.
///
/// # Errors
/// Those of the database.
pub async fn read(database: &PgPool) -> anyhow::Result<PriceList> {
    let rates = sqlx::query!("select currency, amount, coins from coin_rates order by currency")
        .fetch_all(database)
        .await?;
    let packages = sqlx::query!(
        r#"select package_id as "package_id: PackageId", name, currency, amount, coins, retired_at is not null as "retired!"
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

/// Sets the rate of a currency.
///
/// # Errors
/// The number of coins is not positive.
pub async fn set_rate(app: &App, price: Money, coins: i64) -> anyhow::Result<()> {
    ensure!(coins > 0, "a rate must have at least one coin");
    let mut transaction = db::begin(&app.database).await?;
    sqlx::query!(
        "insert into coin_rates (currency, amount, coins) values ($1, $2, $3)
         on conflict (currency) do update set amount = excluded.amount, coins = excluded.coins",
        price.currency().code(),
        price.minor(),
        coins,
    )
    .execute(&mut *transaction)
    .await?;
    Entry::new("coins.rate", json!({ "price": price, "coins": coins })).write(&mut transaction).await?;
    Ok(transaction.commit().await?)
}

/// Adds a package and returns its id.
///
/// # Errors
/// Its currency has no rate, or the number of coins is not positive.
pub async fn add_package(
    app: &App,
    name: &str,
    price: Money,
    coins: i64,
    position: i32,
) -> anyhow::Result<PackageId> {
    ensure!(coins > 0, "a package must have at least one coin");
    ensure!((1..=60).contains(&name.chars().count()), "the name must have 1 to 60 characters");
    let mut transaction = db::begin(&app.database).await?;
    let package_id = insert_package(&mut transaction, name, price, coins, position)
        .await
        .with_context(|| format!("cannot add the package. Check that {} has a rate", price.currency()))?;
    let details = json!({ "package_id": package_id, "price": price, "coins": coins });
    Entry::new("coins.add_package", details).text("name", name).write(&mut transaction).await?;
    transaction.commit().await?;
    app.cache.invalidate_or_suspend(&app.database, &[packages_key()]).await?;
    Ok(package_id)
}

pub(crate) async fn insert_package(
    database: &mut PgConnection,
    name: &str,
    price: Money,
    coins: i64,
    position: i32,
) -> sqlx::Result<PackageId> {
    sqlx::query_scalar!(
        r#"insert into coin_packages (name, currency, amount, coins, position) values ($1, $2, $3, $4, $5)
           returning package_id as "package_id: PackageId""#,
        name,
        price.currency().code(),
        price.minor(),
        coins,
        position,
    )
    .fetch_one(database)
    .await
}

/// Takes a package off sale. Payments that were created before can still be paid.
///
/// # Errors
/// No such package is on sale.
pub async fn retire_package(app: &App, package_id: PackageId) -> anyhow::Result<()> {
    let mut transaction = db::begin(&app.database).await?;
    let retired = sqlx::query!(
        "update coin_packages set retired_at = now() where package_id = $1 and retired_at is null",
        package_id.get(),
    )
    .execute(&mut *transaction)
    .await?;
    ensure!(retired.rows_affected() == 1, "there is no package {package_id} on sale");
    Entry::new("coins.retire_package", json!({ "package_id": package_id })).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(app.cache.invalidate_or_suspend(&app.database, &[packages_key()]).await?)
}
