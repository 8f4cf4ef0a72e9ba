//! The bodies of requests about offers.

use guildhall_common::contract::shop::{
    CategoryId, ChangeStock, Count, CreateOffer, EditOffer, Grant, OfferEdit, OfferFields, OfferId,
    PictureAddress, Position, Price, ShopDescription, ShopName, ShopVersion, Stock, StockChange,
    StockDifference,
};
use poem_openapi::Object;
use serde::Deserialize;

use crate::{
    http::{json::bounded_list, problem::Problem},
    shop::defaults::{first_position, no_description, no_picture},
};

/// A new offer. Its stock is `stock`, or `unlimited`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewOffer {
    category_id: CategoryId,
    name: ShopName,
    #[serde(default = "no_description")]
    #[oai(default = "no_description")]
    description: ShopDescription,
    #[serde(default = "no_picture")]
    #[oai(default = "no_picture")]
    picture: PictureAddress,
    price: Price,
    /// The items that the buyer gets.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 10>")]
    #[oai(validator(min_items = 1, max_items = 10))]
    grants: Vec<Grant>,
    #[serde(default = "first_position")]
    #[oai(default = "first_position")]
    position: Position,
    /// Hidden offers are visible only to merchants.
    #[serde(default)]
    #[oai(default)]
    hidden: bool,
    /// The number of pieces for sale.
    stock: Option<Stock>,
    /// The offer is never sold out.
    #[serde(default)]
    #[oai(default)]
    unlimited: bool,
    /// The number of pieces that one account may buy in total. Missing: no limit.
    account_limit: Option<Count>,
}

/// All fields of an offer except its stock. They replace the stored ones, so none may be missing. The limit of an account is
/// `account_limit`, or `no_account_limit`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedOffer {
    offer_id: OfferId,
    /// The version that the merchant has read. The edit is refused when the offer has another one. Sales do not change it.
    expected_version: ShopVersion,
    category_id: CategoryId,
    name: ShopName,
    description: ShopDescription,
    picture: PictureAddress,
    price: Price,
    /// The items that the buyer gets.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 10>")]
    #[oai(validator(min_items = 1, max_items = 10))]
    grants: Vec<Grant>,
    position: Position,
    /// Hidden offers are visible only to merchants.
    hidden: bool,
    /// The number of pieces that one account may buy in total.
    account_limit: Option<Count>,
    /// An account may buy any number of pieces.
    #[serde(default)]
    #[oai(default)]
    no_account_limit: bool,
}

impl TryFrom<NewOffer> for CreateOffer {
    type Error = Problem;

    fn try_from(body: NewOffer) -> Result<Self, Problem> {
        if body.stock.is_some() == body.unlimited {
            let detail = "give either a stock, or unlimited as true";
            return Err(Problem::exactly_one_of(&["stock", "unlimited"], detail));
        }
        Ok(Self(OfferFields {
            category_id: body.category_id,
            name: body.name,
            description: body.description,
            picture: Some(body.picture),
            price: body.price,
            grants: body.grants,
            position: body.position,
            hidden: body.hidden,
            stock: body.stock,
            account_limit: body.account_limit,
        }))
    }
}

impl TryFrom<ChangedOffer> for EditOffer {
    type Error = Problem;

    fn try_from(body: ChangedOffer) -> Result<Self, Problem> {
        if body.account_limit.is_some() == body.no_account_limit {
            let detail = "give either a limit, or no_account_limit as true";
            return Err(Problem::exactly_one_of(&["account_limit", "no_account_limit"], detail));
        }
        let fields = OfferEdit {
            category_id: body.category_id,
            name: body.name,
            description: body.description,
            picture: Some(body.picture),
            price: body.price,
            grants: body.grants,
            position: body.position,
            hidden: body.hidden,
            account_limit: body.account_limit,
        };
        Ok(Self { offer_id: body.offer_id, expected_version: body.expected_version, fields })
    }
}

/// A change of the stock of an offer: `change`, `set` or `unlimited`. The last two need the current stock: `expected_stock` or
/// `expected_unlimited`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewStock {
    offer_id: OfferId,
    change: Option<StockDifference>,
    /// The new stock.
    set: Option<Stock>,
    /// The offer is never sold out.
    #[serde(default)]
    #[oai(default)]
    unlimited: bool,
    /// The change is refused when the offer has another stock.
    expected_stock: Option<Stock>,
    /// The change is refused when the offer has a limited stock.
    #[serde(default)]
    #[oai(default)]
    expected_unlimited: bool,
}

impl TryFrom<NewStock> for ChangeStock {
    type Error = Problem;

    fn try_from(body: NewStock) -> Result<Self, Problem> {
        let NewStock { offer_id, change, set, unlimited, expected_stock, expected_unlimited } = body;
        let change = match (change, set, unlimited) {
            (Some(pieces), None, false) => StockChange::Add(pieces),
            (None, stock, is_unlimited) if stock.is_some() != is_unlimited => {
                if expected_stock.is_some() == expected_unlimited {
                    let detail = "give either the expected stock, or expected_unlimited as true";
                    let fields = ["expected_stock", "expected_unlimited"];
                    return Err(Problem::exactly_one_of(&fields, detail));
                }
                StockChange::Set { stock, expected: expected_stock }
            }
            _ => {
                let detail = "give one of change, set, and unlimited as true";
                return Err(Problem::exactly_one_of(&["change", "set", "unlimited"], detail));
            }
        };
        Ok(Self { offer_id, change })
    }
}

/// The order of the offers of a category.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct OfferOrder {
    pub category_id: CategoryId,
    /// All offers of the category, each once, also hidden ones.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 1000>")]
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub offer_ids: Vec<OfferId>,
}

guildhall_common::examples! {
    OfferOrder { "category_id": 1, "offer_ids": [5, 4] }
    NewStock { "offer_id": 4, "change": 50 }
    NewOffer {
        "category_id": 1, "name": "Health potion", "description": "A hundred of them.", "picture": "/pictures/potion.png", "price": 25,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "position": 10, "hidden": false,
        "stock": 500, "account_limit": 5
    }
    ChangedOffer {
        "offer_id": 4, "expected_version": 1, "category_id": 1, "name": "Health potion", "description": "A hundred of them.", "picture": "/pictures/potion.png", "price": 20,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "position": 10, "hidden": false,
        "account_limit": 5
    }
}
