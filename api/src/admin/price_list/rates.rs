//! The rates of coins. They are private, so they are not cached.

use guildhall_common::money::{Currency, Money};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::problem::Problem;

/// The rates of all currencies that have one.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct CoinRates {
    pub rates: Vec<CoinRate>,
}

/// The price of coins outside of packages, in one currency.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct CoinRate {
    pub price: Money,
    /// The coins for this price.
    pub coins: i64,
    /// Send it as `expected_version` of the next change.
    pub version: i32,
}

pub(super) async fn read_rates(database: &PgPool) -> Result<CoinRates, Problem> {
    let rows = sqlx::query!(
        r#"select currency as "currency: Currency", amount, coins, version from coin_rates order by currency"#
    );
    let rates = rows.fetch_all(database).await?.into_iter().map(|row| CoinRate {
        price: Money::new(row.amount, row.currency),
        coins: row.coins,
        version: row.version,
    });
    Ok(CoinRates { rates: rates.collect() })
}

guildhall_common::examples! {
    CoinRates { "rates": [{ "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "version": 1 }] }
}
