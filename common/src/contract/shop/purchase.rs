//! The command `shop.purchase`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::ShopRefusal,
    values::{OrderLine, OrderedDelivery, PurchaseId},
};
use crate::contract::{
    actor::Actor,
    character::CharacterRef,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Buys offers for a character of any account. The prices at the time of processing apply.
#[derive(Debug, Serialize, Deserialize)]
pub struct Purchase {
    pub character: CharacterRef,
    /// 1 to 20 lines. If an offer occurs twice, the quantities are added.
    pub lines: Vec<OrderLine>,
}

/// Offers were bought. Their deliveries wait for the game server.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OffersPurchased {
    pub purchase_id: PurchaseId,
    pub character_name: String,
    /// The total price.
    pub coins: i64,
    /// The balance of the account after the purchase.
    pub balance: i64,
    pub deliveries: Vec<OrderedDelivery>,
}

impl Declaration for Purchase {
    type Output = OffersPurchased;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.purchase";
    const SENDER: Sender = Sender::Player;
    const REFUSALS: &'static [ShopRefusal] = &[
        ShopRefusal::EmailNotVerified,
        ShopRefusal::CharacterNotFound,
        ShopRefusal::OfferNotFound,
        ShopRefusal::CharacterNotConfirmed,
        ShopRefusal::CharacterBeingDeleted,
        ShopRefusal::NotEnoughCoins,
        ShopRefusal::CoinsOwed,
        ShopRefusal::PriceChanged,
        ShopRefusal::OutOfStock,
        ShopRefusal::LimitReached,
    ];
    const EXAMPLE: &'static str = r#"{"character":{"name":"Mira"},"lines":[{"offer_id":4,"quantity":2}]}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }

    fn locks(&self, sender: Actor, locks: &mut Locks) {
        locks.coins_of(sender);
        self.lines.iter().for_each(|line| locks.offer(line.offer_id));
    }
}

crate::examples! {
    OffersPurchased {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "balance": 200,
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "quantity": 2 }]
    }
}
