//! The command `shop.destroy_offer`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{catalogue::OfferId, refusal::ShopRefusal};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Archives an offer: it can no longer be bought.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyOffer {
    pub offer_id: OfferId,
}

/// An offer was removed from the shop. Old purchases still show it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferDestroyed {
    pub offer_id: OfferId,
}

impl Declaration for DestroyOffer {
    type Output = OfferDestroyed;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.destroy_offer";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::OfferNotFound];
    const EXAMPLE: &'static str = r#"{"offer_id":4}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("offer", self.offer_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.offer(self.offer_id);
    }
}

crate::examples! {
    OfferDestroyed { "offer_id": 4 }
}
