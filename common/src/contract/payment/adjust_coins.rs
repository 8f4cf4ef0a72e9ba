//! The command `coins.adjust`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::PaymentRefusal;
use crate::contract::{
    actor::{AccountId, Actor},
    coins::CoinChange,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
    values::Reason,
};

/// Adds coins to an account or removes some, by hand.
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

impl Declaration for AdjustCoins {
    type Output = CoinsAdjusted;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "coins.adjust";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] =
        &[PaymentRefusal::AccountNotFound, PaymentRefusal::NothingToAdjust, PaymentRefusal::NotEnoughCoins];
    const EXAMPLE: &'static str = r#"{"account_id":3,"coins":-100,"reason":"A mistake."}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::account(self.account_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.coins(self.account_id);
    }
}

crate::examples! {
    CoinsAdjusted { "account_id": 3, "balance": 350 }
}
