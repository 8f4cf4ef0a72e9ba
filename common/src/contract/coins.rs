//! Coins: the amounts that are sold, and the adjustments that administrators make.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::{
    actor::AccountId,
    cache_key::CacheKey,
    shop::Position,
    values::{Reason, TITLE},
};
use crate::{id_types, money::Money, number_types, text_types};

id_types! {
    /// The id of a coin package.
    PackageId
    /// The id of a coin transfer.
    CoinTransferId
}

text_types! {
    /// The name of a coin package.
    PackageName { 1 ..= 60, TITLE, "A purse" }
}

number_types! {
    /// The number of coins to buy.
    CoinCount(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// The number of coins to add. A negative number removes coins.
    CoinChange(i64, "int64") { -1_000_000_000 ..= 1_000_000_000, 100 }
    /// The version of a coin package or of a rate. Each edit raises it.
    PriceVersion(i32, "int32") { 1 ..= i32::MAX, 1 }
}

/// The kind of a transfer of coins between an account and the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum CoinTransferKind {
    /// Coins for received money, also after a refund that failed.
    Credit,
    /// Coins that were removed because their money is returned. Only this kind can make a balance negative.
    Refund,
    /// Coins for a purchase in the shop.
    Purchase,
    /// Coins that an administrator added or removed.
    Adjustment,
    /// Coins for a new name of a character.
    Rename,
    /// Coins that were returned, because their purchase is not delivered.
    Return,
}

/// Adds coins to an account or removes some, by hand. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct AdjustCoins {
    pub account_id: AccountId,
    pub coins: CoinChange,
    pub reason: Reason,
}

/// Sets the rate of a currency: so many coins for this price. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetCoinRate {
    pub price: Money,
    pub coins: CoinCount,
    /// None: the currency has no rate yet.
    pub expected_version: Option<PriceVersion>,
}

/// The fields of a coin package.
#[derive(Debug, Serialize, Deserialize)]
pub struct PackageFields {
    pub name: PackageName,
    pub price: Money,
    pub coins: CoinCount,
    pub position: Position,
}

/// Adds a coin package to the price list. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCoinPackage(pub PackageFields);

/// Replaces all fields of a coin package. Open payments keep their price. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditCoinPackage {
    pub package_id: PackageId,
    /// The version that the administrator has read.
    pub expected_version: PriceVersion,
    pub fields: PackageFields,
}

/// Takes a coin package off sale. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct RetireCoinPackage {
    pub package_id: PackageId,
}

/// A rate was set.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CoinRateSet {
    pub price: Money,
    pub coins: i64,
    pub version: i32,
}

/// A coin package was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PackageSaved {
    pub package_id: PackageId,
    pub version: i32,
}

/// A coin package is no longer on sale.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PackageRetired {
    pub package_id: PackageId,
}

/// Coins were added or removed by hand.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CoinsAdjusted {
    pub account_id: AccountId,
    pub balance: i64,
}

/// The price list.
#[must_use]
pub fn packages_key() -> CacheKey {
    CacheKey::new("coin_packages", "")
}

crate::examples! {
    CoinsAdjusted { "account_id": 3, "balance": 350 }
    CoinRateSet { "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "version": 2 }
    PackageSaved { "package_id": 1, "version": 2 }
    PackageRetired { "package_id": 1 }
}
