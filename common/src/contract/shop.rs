//! The shop: categories, offers and purchases. Commands, outputs, refusals.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::{
    cache_key::CacheKey,
    character::CharacterRef,
    values::{LINE, LINES},
};
use crate::{domain, id_types, number_types, refusals, text_types, uuid_ids};

domain! {
    ShopCommand = "shop" {
        "shop.create_category" => CreateCategory -> CategorySaved,
        "shop.update_category" => UpdateCategory -> CategorySaved,
        "shop.destroy_category" => DestroyCategory -> CategoryDestroyed,
        "shop.create_offer" => CreateOffer -> OfferSaved,
        "shop.update_offer" => UpdateOffer -> OfferSaved,
        "shop.destroy_offer" => DestroyOffer -> OfferDestroyed,
        "shop.purchase" => Purchase -> OffersPurchased,
    }
}

text_types! {
    /// The name of a category or an offer. Without regard to case, a category is unique in the shop and an offer in its category.
    ShopName { 1 ..= 60, r"^[^\x00-\x20\x7F\xA0]+( [^\x00-\x20\x7F\xA0]+)*$", "Potions", trimmed }
    /// The description that buyers see.
    ShopDescription { 0 ..= 2000, LINES, "Heals and restores." }
    /// The id of the item, outfit or mount in the game.
    GrantId { 1 ..= 60, LINE, "3031" }
}

id_types! {
    /// The id of a category.
    CategoryId
    /// The id of an offer.
    OfferId
    /// The id of a purchase.
    PurchaseId
}

uuid_ids! {
    /// The id of a delivery. It stays the same when the delivery is leased or resent.
    DeliveryId
}

number_types! {
    /// The price of an offer in coins.
    Price(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// The place in the list. Smaller numbers come first.
    Position(i32, "int32") { 0 ..= 1_000_000, 10 }
    Count(i32, "int32") { 1 ..= 1_000_000, 1 }
    Stock(i32, "int32") { 0 ..= 1_000_000, 100 }
    Quantity(i32, "int32") { 1 ..= 100, 1 }
}

/// The kind of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    Item,
    Container,
    Outfit,
    Mount,
    PremiumDays,
}

/// An item, an outfit, a mount or premium days that the buyer gets in the game.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct Grant {
    pub kind: GrantKind,
    pub id: GrantId,
    pub count: Count,
}

/// The fields of a category.
#[derive(Debug, Serialize, Deserialize)]
pub struct CategoryFields {
    pub name: ShopName,
    pub description: ShopDescription,
    pub position: Position,
    pub hidden: bool,
}

/// The fields of an offer.
#[derive(Debug, Serialize, Deserialize)]
pub struct OfferFields {
    pub category_id: CategoryId,
    pub name: ShopName,
    pub description: ShopDescription,
    pub price: Price,
    /// 1 to 10 grants.
    pub grants: Vec<Grant>,
    pub position: Position,
    pub hidden: bool,
    /// The number of pieces that are left. None means no limit.
    pub stock: Option<Stock>,
    /// The number of pieces that one account may buy in total. None means no limit.
    pub account_limit: Option<Count>,
}

/// Creates a category.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCategory(pub CategoryFields);

/// Replaces all fields of a category.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpdateCategory {
    pub category_id: CategoryId,
    pub fields: CategoryFields,
}

/// Deletes an empty category.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyCategory {
    pub category_id: CategoryId,
}

/// Creates an offer.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateOffer(pub OfferFields);

/// Replaces all fields of an offer.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpdateOffer {
    pub offer_id: OfferId,
    pub fields: OfferFields,
}

/// Archives an offer: it can no longer be bought.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyOffer {
    pub offer_id: OfferId,
}

/// A number of pieces of one offer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct OrderLine {
    pub offer_id: OfferId,
    pub quantity: Quantity,
}

/// Buys offers for a character of any account. The prices at the time of processing apply.
#[derive(Debug, Serialize, Deserialize)]
pub struct Purchase {
    pub character: CharacterRef,
    /// 1 to 20 lines. If an offer occurs twice, the quantities are added.
    pub lines: Vec<OrderLine>,
}

/// A category was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategorySaved {
    pub category_id: CategoryId,
    pub name: String,
}

/// A category was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategoryDestroyed {
    pub category_id: CategoryId,
}

/// An offer was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferSaved {
    pub offer_id: OfferId,
    pub category_id: CategoryId,
    pub name: String,
}

/// An offer was removed from the shop. Old purchases still show it.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferDestroyed {
    pub offer_id: OfferId,
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
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have enough coins.";
        Conflict CoinsOwed "coins_owed" "The account owes coins after a refund. It can buy nothing until its balance is zero or more.";
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
    CategorySaved { "category_id": 1, "name": "Potions" }
    CategoryDestroyed { "category_id": 1 }
    OfferSaved { "offer_id": 4, "category_id": 1, "name": "Health potion" }
    OfferDestroyed { "offer_id": 4 }
    OffersPurchased {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "balance": 200,
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "quantity": 2 }]
    }
}

crate::wire_forms! {
    ShopCommand r#"
        {"name":"shop.create_category","body":{"name":"Potions","description":"","position":10,"hidden":false}}
        {"name":"shop.update_category","body":{"category_id":1,"fields":{"name":"Potions","description":"","position":10,"hidden":false}}}
        {"name":"shop.destroy_category","body":{"category_id":1}}
        {"name":"shop.create_offer","body":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"premium_days","id":"premium","count":30}],"position":10,"hidden":false,"stock":5,"account_limit":null}}
        {"name":"shop.update_offer","body":{"offer_id":4,"fields":{"category_id":1,"name":"Red","description":"","price":25,"grants":[{"kind":"item","id":"266","count":1}],"position":10,"hidden":false,"stock":null,"account_limit":2}}}
        {"name":"shop.destroy_offer","body":{"offer_id":4}}
        {"name":"shop.purchase","body":{"character":{"name":"Mira"},"lines":[{"offer_id":4,"quantity":2}]}}
    "#
}
