//! The price list of coins: an administrator or an operator changes it. A payment keeps the price at which it was created.

use guildhall_common::{
    contract::{
        coins::{PackageFields, PackageId, packages_key},
        command::{Failure, OnConstraint},
        payment::{
            CoinRateSet, CreateCoinPackage, EditCoinPackage, PackageRetired, PackageSaved, PaymentRefusal,
            RetireCoinPackage, SetCoinRate,
        },
    },
    money::Money,
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::engine::{audit::Entry, context::Context, rule::Rule};

/// The constraint of packages: their currency has a rate.
const RATE: &str = "coin_packages_rate";

impl Rule for SetCoinRate {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<CoinRateSet, Failure> {
        let version = sqlx::query_scalar!(
            "select version from coin_rates where currency = $1 for update",
            self.price.currency().code()
        );
        let version = version.fetch_optional(&mut *cx.db).await?;
        if version != self.expected_version.map(|version| version.get()) {
            return Err(PaymentRefusal::RateChanged.into());
        }
        let (version, entry) = set_rate(cx.db, self.price, self.coins.get()).await?;
        cx.audit(entry).await?;
        Ok(CoinRateSet { price: self.price, coins: self.coins.get(), version })
    }
}

impl Rule for CreateCoinPackage {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PackageSaved, Failure> {
        let (package_id, entry) = insert_package(cx.db, &self.0).await?;
        cx.audit(entry).await?;
        cx.invalidate([packages_key()]);
        Ok(PackageSaved { package_id, version: 1 })
    }
}

impl Rule for EditCoinPackage {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PackageSaved, Failure> {
        let Self { package_id, expected_version, fields } = self;
        let before = lock_on_sale(cx.db, *package_id).await?;
        if before.version != expected_version.get() {
            return Err(PaymentRefusal::PackageChanged.into());
        }
        let saved = sqlx::query!(
            r#"update coin_packages
               set name = $2, currency = $3, amount = $4, coins = $5, position = $6, version = version + 1
               where package_id = $1 returning version, to_jsonb(coin_packages) as "row!""#,
            package_id.get(),
            &*fields.name,
            fields.price.currency().code(),
            fields.price.minor(),
            fields.coins.get(),
            fields.position.get(),
        )
        .fetch_one(&mut *cx.db)
        .await
        .on_constraint(RATE, PaymentRefusal::RateMissing)?;
        let entry = Entry::new("coins.edit_package", json!({ "package_id": package_id }));
        cx.audit(entry.row(&before.row, &saved.row)).await?;
        cx.invalidate([packages_key()]);
        Ok(PackageSaved { package_id: *package_id, version: saved.version })
    }
}

impl Rule for RetireCoinPackage {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<PackageRetired, Failure> {
        let package_id = self.package_id;
        let entry = retire_package(cx.db, package_id).await?;
        cx.audit(entry).await?;
        cx.invalidate([packages_key()]);
        Ok(PackageRetired { package_id })
    }
}

/// Sets the rate of a currency. Returns its version and the audit entry.
pub(crate) async fn set_rate(
    database: &mut PgConnection,
    price: Money,
    coins: i64,
) -> sqlx::Result<(i32, Entry)> {
    let saved = sqlx::query!(
        r#"with before as (select * from coin_rates where currency = $1)
           insert into coin_rates (currency, amount, coins) values ($1, $2, $3)
           on conflict (currency) do update
               set amount = excluded.amount, coins = excluded.coins, version = coin_rates.version + 1
           returning version, to_jsonb(coin_rates) as "after!", (select to_jsonb(before) from before) as before"#,
        price.currency().code(),
        price.minor(),
        coins,
    )
    .fetch_one(database)
    .await?;
    let entry = Entry::new("coins.rate", json!({ "currency": price.currency() }));
    Ok((saved.version, entry.row(&saved.before.unwrap_or_default(), &saved.after)))
}

/// Adds a package. Returns its id and the audit entry.
pub(crate) async fn insert_package(
    database: &mut PgConnection,
    fields: &PackageFields,
) -> Result<(PackageId, Entry), Failure> {
    let saved = sqlx::query!(
        r#"insert into coin_packages (name, currency, amount, coins, position) values ($1, $2, $3, $4, $5)
           returning package_id as "package_id: PackageId", to_jsonb(coin_packages) as "row!""#,
        &*fields.name,
        fields.price.currency().code(),
        fields.price.minor(),
        fields.coins.get(),
        fields.position.get(),
    )
    .fetch_one(database)
    .await
    .on_constraint(RATE, PaymentRefusal::RateMissing)?;
    let entry = Entry::new("coins.add_package", json!({ "package_id": saved.package_id }));
    Ok((saved.package_id, entry.row(&Value::Null, &saved.row)))
}

/// Takes a package off sale, and returns the audit entry. Payments that were created before can still be paid.
pub(crate) async fn retire_package(
    database: &mut PgConnection,
    package_id: PackageId,
) -> Result<Entry, Failure> {
    let before = lock_on_sale(database, package_id).await?;
    let row = sqlx::query_scalar!(
        r#"update coin_packages set retired_at = now(), version = version + 1
           where package_id = $1 returning to_jsonb(coin_packages) as "row!""#,
        package_id.get(),
    )
    .fetch_one(database)
    .await?;
    let entry = Entry::new("coins.retire_package", json!({ "package_id": package_id }));
    Ok(entry.row(&before.row, &row))
}

/// A package before a change.
struct LockedPackage {
    version: i32,
    row: Value,
}

async fn lock_on_sale(database: &mut PgConnection, package_id: PackageId) -> Result<LockedPackage, Failure> {
    let locked = sqlx::query_as!(
        LockedPackage,
        r#"select version, to_jsonb(coin_packages) as "row!" from coin_packages
           where package_id = $1 and retired_at is null for update"#,
        package_id.get(),
    );
    Ok(locked.fetch_optional(database).await?.ok_or(PaymentRefusal::PackageNotFound)?)
}
