//! The shop's categories and offers: commands, outcomes, refusals.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    cache::Key,
    domain,
    guild::CharacterRef,
    ids, numbers, refusals, texts,
    values::{LINE, LINES},
};

domain! {
    ShopCommand = "shop" {
        "shop.create_category" => CreateCategory -> CategorySaved,
        "shop.update_category" => UpdateCategory -> CategorySaved,
        "shop.destroy_category" => DestroyCategory -> CategoryDestroyed,
        "shop.create_offer" => CreateOffer -> OfferSaved,
        "shop.update_offer" => UpdateOffer -> OfferSaved,
        "shop.destroy_offer" => DestroyOffer -> OfferDestroyed,
        "shop.purchase" => Purchase -> Purchased,
    }
}

texts! {
    /// Unique without regard to case: a category in the shop, an offer in its category.
    ShopName { 1 ..= 60, r"^[^\x00-\x20\x7F\xA0]+( [^\x00-\x20\x7F\xA0]+)*$", "Potions", trimmed }
    /// What is told to buyers.
    ShopDescription { 0 ..= 2000, LINES, "Heals and restores." }
    /// What the game calls the thing: an item's id, an outfit's name.
    GrantId { 1 ..= 60, LINE, "3031" }
}

ids! {
    /// A category of the shop.
    CategoryId
    /// An offer of the shop.
    OfferId
}

numbers! {
    /// Coins.
    Price(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// Small comes first.
    Position(i32, "int32") { 0 ..= 1_000_000, 10 }
    Count(i32, "int32") { 1 ..= 1_000_000, 1 }
    Stock(i32, "int32") { 0 ..= 1_000_000, 100 }
    Quantity(i32, "int32") { 1 ..= 100, 1 }
}

/// What sort of thing the game hands out.
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

/// One thing that a buyer gets in the game.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub struct Grant {
    pub kind: GrantKind,
    pub id: GrantId,
    pub count: Count,
}

/// A category as its keeper writes it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CategoryFields {
    pub name: ShopName,
    pub description: ShopDescription,
    pub position: Position,
    pub hidden: bool,
}

/// An offer as its keeper writes it.
#[derive(Debug, Serialize, Deserialize)]
pub struct OfferFields {
    pub category_id: CategoryId,
    pub name: ShopName,
    pub description: ShopDescription,
    pub price: Price,
    /// 1 to 10.
    pub grants: Vec<Grant>,
    pub position: Position,
    pub hidden: bool,
    /// Pieces left; none: without limit.
    pub stock: Option<Stock>,
    /// Pieces one account may buy in all; none: without limit.
    pub account_limit: Option<Count>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCategory(pub CategoryFields);

/// All fields are replaced.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpdateCategory {
    pub category_id: CategoryId,
    pub fields: CategoryFields,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyCategory {
    pub category_id: CategoryId,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CreateOffer(pub OfferFields);

/// All fields are replaced.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpdateOffer {
    pub offer_id: OfferId,
    pub fields: OfferFields,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyOffer {
    pub offer_id: OfferId,
}

/// Some pieces of one offer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(rename = "OrderLine", deny_unknown_fields)]
pub struct Line {
    pub offer_id: OfferId,
    pub quantity: Quantity,
}

/// Buy for a character, one's own or another's. Prices are those of the moment it is applied.
#[derive(Debug, Serialize, Deserialize)]
pub struct Purchase {
    pub character: CharacterRef,
    /// 1 to 20. Of an offer that is named twice the quantities are added up.
    pub lines: Vec<Line>,
}

/// A category was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategorySaved {
    pub category_id: i64,
    pub name: String,
}

/// A category is no more.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct CategoryDestroyed {
    pub category_id: i64,
}

/// An offer was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferSaved {
    pub offer_id: i64,
    pub category_id: i64,
    pub name: String,
}

/// An offer is out of the shop.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct OfferDestroyed {
    pub offer_id: i64,
}

/// What was bought is on its way to the game.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct Purchased {
    pub purchase_id: i64,
    pub character_name: String,
    /// What it cost.
    pub coins: i64,
    /// Coins that are left.
    pub balance: i64,
    pub deliveries: Vec<Ordered>,
}

/// A delivery that was ordered: one for each line.
#[derive(Debug, Serialize, Deserialize, Object)]
pub struct Ordered {
    pub delivery_id: Uuid,
    pub offer_id: i64,
    pub quantity: i32,
}

refusals! {
    ShopRefusal {
        NotFound CategoryNotFound "category_not_found" "There is no such category.";
        NotFound OfferNotFound "offer_not_found" "There is no such offer.";
        Conflict CategoryNameTaken "category_name_taken" "Another category has this name.";
        Conflict OfferNameTaken "offer_name_taken" "Another offer of this category has this name.";
        NotFound CharacterNotFound "character_not_found" "There is no such character.";
        Conflict NotEnoughCoins "not_enough_coins" "There are not enough coins for this.";
        Conflict CoinsOwed "coins_owed" "A refund has left the account owing coins: nothing can be bought until they are made up for.";
        Conflict OutOfStock "out_of_stock" "There are not enough pieces left of an offer.";
        Conflict LimitReached "account_limit_reached" "An account may not buy that many pieces of an offer.";
        Conflict CategoryNotEmpty "category_not_empty" "The category still has offers: move or destroy them first.";
    }
}

/// Everything the shop shows: it is small and changes as one.
#[must_use]
pub fn shop_key() -> Key {
    Key::new("shop", "")
}

crate::examples! {
    CategorySaved { "category_id": 1, "name": "Potions" }
    CategoryDestroyed { "category_id": 1 }
    OfferSaved { "offer_id": 4, "category_id": 1, "name": "Health potion" }
    OfferDestroyed { "offer_id": 4 }
    Purchased {
        "purchase_id": 12, "character_name": "Mira Stormborn", "coins": 50, "balance": 200,
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "offer_id": 4, "quantity": 2 }]
    }
}
