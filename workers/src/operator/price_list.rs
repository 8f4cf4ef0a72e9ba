//! The price list of coins. A payment keeps the price at which it was created.

use guildhall_common::{
    contract::coins::{CoinCount, PackageFields, PackageId, packages_key},
    money::{Currency, Money},
    platform::db,
};
use sqlx::PgPool;

use crate::{app::App, coins::price_list, engine::failure::into_error};

/// The rates, and all packages including retired ones.
#[derive(Debug)]
pub struct FullPriceList {
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
pub async fn read(database: &PgPool) -> anyhow::Result<FullPriceList> {
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
    Ok(FullPriceList {
        rates: rates.collect::<anyhow::Result<_>>()?,
        packages: packages.collect::<anyhow::Result<_>>()?,
    })
}

/// Sets the rate of a currency.
///
/// # Errors
/// Those of the database.
pub async fn set_rate(app: &App, price: Money, coins: CoinCount) -> anyhow::Result<()> {
    let mut transaction = db::begin(&app.database).await?;
    let (_, entry) = price_list::set_rate(&mut transaction, price, coins.get()).await?;
    entry.write(&mut transaction).await?;
    Ok(transaction.commit().await?)
}

/// Adds a package and returns its id.
///
/// # Errors
/// Its currency has no rate.
pub async fn add_package(app: &App, fields: &PackageFields) -> anyhow::Result<PackageId> {
    let mut transaction = db::begin(&app.database).await?;
    let added = price_list::insert_package(&mut transaction, fields).await;
    let (package_id, entry) = added.map_err(into_error)?;
    entry.write(&mut transaction).await?;
    transaction.commit().await?;
    app.cache.invalidate_or_suspend(&app.database, &[packages_key()]).await?;
    Ok(package_id)
}

/// Takes a package off sale. Payments that were created before can still be paid.
///
/// # Errors
/// No such package is on sale.
pub async fn retire_package(app: &App, package_id: PackageId) -> anyhow::Result<()> {
    let mut transaction = db::begin(&app.database).await?;
    let entry = price_list::retire_package(&mut transaction, package_id).await.map_err(into_error)?;
    entry.write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(app.cache.invalidate_or_suspend(&app.database, &[packages_key()]).await?)
}
