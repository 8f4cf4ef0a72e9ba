//! The shop: its catalogue and purchases. Commands, outputs, refusals.

mod catalogue;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

pub use self::catalogue::*;
use super::{
    actor::Actor,
    cache_key::CacheKey,
    character::CharacterRef,
    partition_key::{PartitionKey, Partitioned},
};
use crate::{domain, id_types, number_types, refusals, uuid_ids};

domain! {
    ShopCommand = "shop" {
        "shop.create_category" => CreateCategory -> CategorySaved,
        "shop.update_category" => UpdateCategory -> CategorySaved,
        "shop.edit_category" => EditCategory -> CategorySaved,
        "shop.destroy_category" => DestroyCategory -> CategoryDestroyed,
        "shop.create_offer" => CreateOffer -> OfferSaved,
        "shop.update_offer" => UpdateOffer -> OfferSaved,
        "shop.edit_offer" => EditOffer -> OfferSaved,
        "shop.change_stock" => ChangeStock -> StockChanged,
        "shop.destroy_offer" => DestroyOffer -> OfferDestroyed,
        "shop.reorder_categories" => ReorderCategories -> CategoriesReordered,
        "shop.reorder_offers" => ReorderOffers -> OffersReordered,
        "shop.purchase" => Purchase -> OffersPurchased,
    }
}

impl Partitioned for ShopCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        match self {
            Self::Purchase(_) => actor.partition_key(),
            // A category and its offers have one order in the catalogue, and each of them is rarely changed.
            Self::CreateCategory(_)
            | Self::UpdateCategory(_)
            | Self::EditCategory(_)
            | Self::DestroyCategory(_)
            | Self::CreateOffer(_)
            | Self::ReorderCategories(_)
            | Self::ReorderOffers(_) => None,
            Self::UpdateOffer(command) => Some(PartitionKey::new("offer", command.offer_id)),
            Self::EditOffer(command) => Some(PartitionKey::new("offer", command.offer_id)),
            Self::ChangeStock(command) => Some(PartitionKey::new("offer", command.offer_id)),
            Self::DestroyOffer(command) => Some(PartitionKey::new("offer", command.offer_id)),
        }
    }
}

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

/// A delivery that was ordered. There is one for each line.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct OrderedDelivery {
    pub delivery_id: DeliveryId,
    pub offer_id: OfferId,
    pub quantity: i32,
}

refusals! {
    ShopRefusal {
        NotFound CategoryNotFound "category_not_found" "This category does not exist.";
        NotFound OfferNotFound "offer_not_found" "This offer does not exist.";
        Conflict CategoryNameTaken "category_name_taken" "Another category has this name.";
        Conflict OfferNameTaken "offer_name_taken" "Another offer of this category has this name.";
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        Forbidden EmailNotVerified "email_not_verified" "Verify your e-mail address before you buy something.";
        Conflict CharacterNotConfirmed "character_not_confirmed" "The game has not confirmed this character yet.";
        Conflict CharacterBeingDeleted "character_being_deleted" "This character will be deleted. Undo its deletion first.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have enough coins.";
        Conflict CoinsOwed "coins_owed" "The account owes coins after a refund. It can buy nothing until its balance is zero or more.";
        Conflict CategoryChanged "category_changed" "Another merchant has changed the category. Load it again.";
        Conflict OfferChanged "offer_changed" "Another merchant has changed the offer. Load it again.";
        Conflict CategoriesChanged "categories_changed" "These are not all categories of the shop, each once. Load them again.";
        Conflict OffersChanged "offers_changed" "These are not all offers of the category, each once. Load them again.";
        Conflict StockChanged "stock_changed" "The stock is not as expected. Load the offer again.";
        Conflict StockUnlimited "stock_unlimited" "The offer has no limited stock. Set the stock instead.";
        Conflict StockOutOfRange "stock_out_of_range" "The stock would be less than 0 or more than 1,000,000.";
        Conflict PriceChanged "price_changed" "An offer has another price than expected. Load it again.";
        Conflict OutOfStock "out_of_stock" "An offer does not have enough pieces left.";
        Conflict LimitReached "account_limit_reached" "An account may not buy that many pieces of an offer.";
        Conflict CategoryNotEmpty "category_not_empty" "The category still has offers. Move or destroy them first.";
    }
}

/// All views of the shop. The shop is small, so all of it is invalidated together.
#[must_use]
pub fn shop_key() -> CacheKey {
    CacheKey::new("shop", "")
}

crate::examples! {
    OffersPurchased {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "balance": 200,
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "quantity": 2 }]
    }
}

crate::wire_forms! {
    ShopCommand r#"
        {"name":"shop.create_category","body":{"name":"Potions","description":"","position":10,"hidden":false}}
        {"name":"shop.update_category","body":{"category_id":1,"fields":{"name":"Potions","description":"","position":10,"hidden":false}}}
        {"name":"shop.edit_category","body":{"category_id":1,"expected_version":1,"fields":{"name":"Potions","description":"","position":10,"hidden":false}}}
        {"name":"shop.destroy_category","body":{"category_id":1}}
        {"name":"shop.create_offer","body":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"premium_days","id":"premium","count":30}],"position":10,"hidden":false,"stock":5,"account_limit":null}}
        {"name":"shop.update_offer","body":{"offer_id":4,"fields":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"stock":null,"account_limit":2}}}
        {"name":"shop.edit_offer","body":{"offer_id":4,"expected_version":1,"fields":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"account_limit":2}}}
        {"name":"shop.edit_offer","body":{"offer_id":4,"expected_version":1,"fields":{"category_id":1,"name":"Red","description":"","picture":"/pictures/red.png","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"account_limit":2}}}
        {"name":"shop.change_stock","body":{"offer_id":4,"change":{"add":-5}}}
        {"name":"shop.change_stock","body":{"offer_id":4,"change":{"set":{"stock":null,"expected":5}}}}
        {"name":"shop.destroy_offer","body":{"offer_id":4}}
        {"name":"shop.reorder_categories","body":{"category_ids":[2,1]}}
        {"name":"shop.reorder_offers","body":{"category_id":1,"offer_ids":[5,4]}}
        {"name":"shop.purchase","body":{"character":{"name":"Mira"},"lines":[{"offer_id":4,"quantity":2}]}}
        {"name":"shop.purchase","body":{"character":{"name":"Mira"},"lines":[{"offer_id":4,"quantity":2,"expected_price":25}]}}
    "#
}
