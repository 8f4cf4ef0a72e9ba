//! The bodies of requests about the price list of coins.

use guildhall_common::{
    contract::{
        coins::{CoinCount, PackageId, PackageName, PriceVersion},
        shop::Position,
    },
    money::Money,
};
use poem_openapi::Object;
use serde::Deserialize;

use crate::http::json::positive_money;

/// The rate of a currency.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCoinRate {
    #[serde(deserialize_with = "positive_money")]
    pub(super) price: Money,
    /// The coins for this price.
    pub(super) coins: CoinCount,
    /// The version that the administrator has read. Missing: the currency has no rate yet.
    pub(super) expected_version: Option<PriceVersion>,
}

/// A new coin package.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCoinPackage {
    pub(super) name: PackageName,
    #[serde(deserialize_with = "positive_money")]
    pub(super) price: Money,
    pub(super) coins: CoinCount,
    pub(super) position: Position,
}

/// All fields of a coin package.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedCoinPackage {
    pub(super) package_id: PackageId,
    /// The version that the administrator has read. The edit is refused when the package has another one.
    pub(super) expected_version: PriceVersion,
    pub(super) name: PackageName,
    #[serde(deserialize_with = "positive_money")]
    pub(super) price: Money,
    pub(super) coins: CoinCount,
    pub(super) position: Position,
}

/// The coin package to take off sale.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PackageToRetire {
    pub(super) package_id: PackageId,
}

guildhall_common::examples! {
    NewCoinRate { "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "expected_version": 1 }
    NewCoinPackage {
        "name": "A purse", "price": { "amount": "25.00", "currency": "BRL" }, "coins": 260, "position": 10
    }
    ChangedCoinPackage {
        "package_id": 1, "expected_version": 1, "name": "A purse",
        "price": { "amount": "25.00", "currency": "BRL" }, "coins": 270, "position": 10
    }
    PackageToRetire { "package_id": 1 }
}
