//! The command `coins.set_rate`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::PaymentRefusal;
use crate::contract::{
    actor::Actor,
    coins::{CoinCount, PriceVersion},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};
use crate::money::Money;

/// Sets the rate of a currency: so many coins for this price.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetCoinRate {
    pub price: Money,
    pub coins: CoinCount,
    /// None: the currency has no rate yet.
    pub expected_version: Option<PriceVersion>,
}

/// A rate was set.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CoinRateSet {
    pub price: Money,
    pub coins: i64,
    pub version: i32,
}

impl Declaration for SetCoinRate {
    type Output = CoinRateSet;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "coins.set_rate";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] = &[PaymentRefusal::RateChanged];
    const EXAMPLE: &'static str =
        r#"{"price":{"amount":"1.00","currency":"BRL"},"coins":10,"expected_version":null}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    CoinRateSet { "price": { "amount": "1.00", "currency": "BRL" }, "coins": 10, "version": 2 }
}
