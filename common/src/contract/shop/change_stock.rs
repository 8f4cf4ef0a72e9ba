//! The command `shop.change_stock`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{OfferId, StockChange},
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Changes the stock of an offer.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeStock {
    pub offer_id: OfferId,
    pub change: StockChange,
}

/// The stock of an offer was changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct StockChanged {
    pub offer_id: OfferId,
    /// The number of pieces that are left. Missing: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<i32>,
}

impl Declaration for ChangeStock {
    type Output = StockChanged;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.change_stock";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[
        ShopRefusal::OfferNotFound,
        ShopRefusal::StockChanged,
        ShopRefusal::StockUnlimited,
        ShopRefusal::StockOutOfRange,
    ];
    const EXAMPLE: &'static str = r#"{"offer_id":4,"change":{"add":-5}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("offer", self.offer_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.offer(self.offer_id);
    }
}

crate::examples! {
    StockChanged { "offer_id": 4, "stock": 550 }
}
