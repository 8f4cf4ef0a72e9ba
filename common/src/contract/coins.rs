//! Coins: the amounts that are sold, and the adjustments that administrators make.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{actor::AccountId, cache_key::CacheKey, values::Reason};
use crate::{id_types, number_types};

id_types! {
    /// The id of a coin package.
    PackageId
    /// The id of a coin transfer.
    CoinTransferId
}

number_types! {
    /// The number of coins to buy.
    CoinCount(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// The number of coins to add. A negative number removes coins.
    CoinChange(i64, "int64") { -1_000_000_000 ..= 1_000_000_000, 100 }
}

/// Adds coins to an account or removes some, by hand. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct AdjustCoins {
    pub account_id: AccountId,
    pub coins: CoinChange,
    pub reason: Reason,
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
}
