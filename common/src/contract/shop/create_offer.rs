//! The command `shop.create_offer`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    catalogue::{CategoryId, OfferFields, OfferId},
    refusal::ShopRefusal,
};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Creates an offer.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateOffer(pub OfferFields);

/// An offer was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferSaved {
    pub offer_id: OfferId,
    pub category_id: CategoryId,
    pub name: String,
    /// Send it as `expected_version` of the next edit.
    #[serde(default)]
    pub version: i32,
}

impl Declaration for CreateOffer {
    type Output = OfferSaved;
    type Refusal = ShopRefusal;

    const NAME: &'static str = "shop.create_offer";
    const SENDER: Sender = Sender::Merchant;
    const REFUSALS: &'static [ShopRefusal] = &[ShopRefusal::CategoryNotFound, ShopRefusal::OfferNameTaken];
    const EXAMPLE: &'static str = r#"{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"premium_days","id":"premium","count":30}],"position":10,"hidden":false,"stock":5,"account_limit":null}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    OfferSaved { "offer_id": 4, "category_id": 1, "name": "Health potion", "version": 1 }
}
