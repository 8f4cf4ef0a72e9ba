//! The catalogue of the shop: categories, offers and their stock.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use crate::{
    contract::values::{LINE, LINES},
    id_types, number_types, text_types,
};

text_types! {
    /// The name of a category or an offer. Without regard to case, a category is unique in the shop and an offer in its category.
    ShopName { 1 ..= 60, r"^[^\x00-\x20\x7F\xA0]+( [^\x00-\x20\x7F\xA0]+)*$", "Potions", trimmed }
    /// The description that buyers see.
    ShopDescription { 0 ..= 2000, LINES, "Heals and restores." }
    /// The address of a picture on the site, for example of an item. Empty: no picture.
    PictureAddress { 0 ..= 200, r"^(/pictures(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+)?$", "/pictures/potion.png" }
    /// The id of the item, outfit or mount in the game.
    GrantId { 1 ..= 60, LINE, "3031" }
}

id_types! {
    /// The id of a category.
    CategoryId
    /// The id of an offer.
    OfferId
}

number_types! {
    /// The price of an offer in coins.
    Price(i64, "int64") { 1 ..= 1_000_000_000, 250 }
    /// The place in the list. Smaller numbers come first.
    Position(i32, "int32") { 0 ..= 1_000_000, 10 }
    Count(i32, "int32") { 1 ..= 1_000_000, 1 }
    Stock(i32, "int32") { 0 ..= 1_000_000, 100 }
    /// The pieces to add. A negative number removes pieces.
    StockDifference(i32, "int32") { -1_000_000 ..= 1_000_000, 50 }
    /// The version of a category or an offer. Each edit raises it.
    ShopVersion(i32, "int32") { 1 ..= i32::MAX, 1 }
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
    /// None: the api is older than pictures, and a stored picture stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureAddress>,
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

/// The fields of an offer that an edit replaces.
#[derive(Debug, Serialize, Deserialize)]
pub struct OfferEdit {
    pub category_id: CategoryId,
    pub name: ShopName,
    pub description: ShopDescription,
    /// None: the api is older than pictures, and a stored picture stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureAddress>,
    pub price: Price,
    /// 1 to 10 grants.
    pub grants: Vec<Grant>,
    pub position: Position,
    pub hidden: bool,
    /// The number of pieces that one account may buy in total. None means no limit.
    pub account_limit: Option<Count>,
}

/// A change of a stock.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StockChange {
    /// Adds pieces, or removes them.
    Add(StockDifference),
    /// Replaces the stock, if it is as expected. None means no limit.
    Set { stock: Option<Stock>, expected: Option<Stock> },
}
