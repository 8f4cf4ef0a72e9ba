//! The ids and lines of purchases.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::catalogue::{OfferId, Price};
use crate::{id_types, number_types, uuid_ids};

id_types! {
    /// The id of a purchase.
    PurchaseId
}

uuid_ids! {
    /// The id of a delivery. It stays the same when the delivery is leased or resent.
    DeliveryId
}

number_types! {
    Quantity(i32, "int32") { 1 ..= 100, 1 }
}

/// A number of pieces of one offer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct OrderLine {
    pub offer_id: OfferId,
    pub quantity: Quantity,
    /// The price that the buyer has seen. The purchase is refused if the offer has another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_price: Option<Price>,
}

/// A delivery that was ordered. There is one for each line.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct OrderedDelivery {
    pub delivery_id: DeliveryId,
    pub offer_id: OfferId,
    pub quantity: i32,
}
