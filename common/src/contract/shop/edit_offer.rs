//! The command `shop.edit_offer`.

use serde::{Deserialize, Serialize};

use super::{
    catalogue::{OfferEdit, OfferId, ShopVersion},
    create_offer::OfferSaved,
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Locks, Sender},
    partition_key::PartitionKey,
};

/// Replaces the fields of an offer, if it has the expected version. Its stock stays as it is.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditOffer {
    pub offer_id: OfferId,
    pub expected_version: ShopVersion,
    pub fields: OfferEdit,
}

impl Declaration for EditOffer {
    type Output = OfferSaved;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.edit_offer";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[
        ShopRefusal::CategoryNotFound,
        ShopRefusal::OfferNotFound,
        ShopRefusal::OfferNameTaken,
        ShopRefusal::OfferChanged,
    ];
    const EXAMPLE: &'static str = r#"{"offer_id":4,"expected_version":1,"fields":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"account_limit":2}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("offer", self.offer_id))
    }

    fn locks(&self, _: Actor, locks: &mut Locks) {
        locks.offer(self.offer_id);
    }
}
