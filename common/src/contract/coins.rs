//! Coins: their packages and amounts.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::{cache_key::CacheKey, shop::Position, values::TITLE};
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

/// The fields of a coin package.
#[derive(Debug, Serialize, Deserialize)]
pub struct PackageFields {
    pub name: PackageName,
    pub price: Money,
    pub coins: CoinCount,
    pub position: Position,
}

/// The price list.
#[must_use]
pub fn packages_key() -> CacheKey {
    CacheKey::new("coin_packages", "")
}
