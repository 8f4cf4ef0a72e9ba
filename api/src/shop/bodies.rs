//! The bodies of requests about the shop.

use guildhall_common::contract::{
    character::{CharacterId, CharacterName},
    shop::{
        CategoryFields, CategoryId, Count, Grant, OfferFields, OfferId, OrderLine, Position, Price,
        ShopDescription, ShopName, Stock,
    },
};
use poem_openapi::Object;
use serde::Deserialize;

use crate::http::json::bounded_list;

fn no_description() -> ShopDescription {
    String::new().try_into().expect("a description may be empty")
}

fn first_position() -> Position {
    0.try_into().expect("positions start at 0")
}

/// Declares two bodies with the same fields: one creates a thing, the other one replaces it and also has its id.
///
/// Neither serde nor poem-openapi supports `flatten` together with `deny_unknown_fields`.
macro_rules! bodies {
    ($fields:ident {
        $(#[$new_meta:meta])* $new:ident,
        $(#[$changed_meta:meta])* $changed:ident($id:ident: $id_type:ty),
    } {
        $($(#[$meta:meta])* $field:ident: $type:ty,)+
    }) => {
        $(#[$new_meta])*
        #[derive(Debug, Deserialize, Object)]
        #[serde(deny_unknown_fields)]
        #[oai(deny_unknown_fields, example)]
        pub(crate) struct $new {
            $($(#[$meta])* $field: $type,)+
        }

        $(#[$changed_meta])*
        #[derive(Debug, Deserialize, Object)]
        #[serde(deny_unknown_fields)]
        #[oai(deny_unknown_fields, example)]
        pub(crate) struct $changed {
            pub $id: $id_type,
            $($(#[$meta])* $field: $type,)+
        }

        impl From<$new> for $fields {
            fn from(body: $new) -> Self {
                Self { $($field: body.$field,)+ }
            }
        }

        impl From<$changed> for $fields {
            fn from(body: $changed) -> Self {
                Self { $($field: body.$field,)+ }
            }
        }
    };
}

bodies! {
    CategoryFields {
        /// A new category.
        NewCategory,
        /// All fields of a category.
        ChangedCategory(category_id: CategoryId),
    } {
        name: ShopName,
        #[serde(default = "no_description")]
        #[oai(default = "no_description")]
        description: ShopDescription,
        #[serde(default = "first_position")]
        #[oai(default = "first_position")]
        position: Position,
        /// Hidden categories are visible only to merchants.
        #[serde(default)]
        #[oai(default)]
        hidden: bool,
    }
}

bodies! {
    OfferFields {
        /// A new offer.
        NewOffer,
        /// All fields of an offer.
        ChangedOffer(offer_id: OfferId),
    } {
        category_id: CategoryId,
        name: ShopName,
        #[serde(default = "no_description")]
        #[oai(default = "no_description")]
        description: ShopDescription,
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
        /// The number of pieces that are left. Missing: no limit.
        stock: Option<Stock>,
        /// The number of pieces that one account may buy in total. Missing: no limit.
        account_limit: Option<Count>,
    }
}

/// The offers to buy, and the character that gets them: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPurchase {
    pub character_id: Option<CharacterId>,
    pub character_name: Option<CharacterName>,
    /// If an offer occurs twice, its quantities are added.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 20>")]
    #[oai(validator(min_items = 1, max_items = 20))]
    pub lines: Vec<OrderLine>,
}

guildhall_common::examples! {
    NewPurchase { "character_name": "Mira Stormborn", "lines": [{ "offer_id": 4, "quantity": 2 }] }
    NewCategory { "name": "Potions", "description": "Heals and restores.", "position": 10, "hidden": false }
    ChangedCategory { "category_id": 1, "name": "Potions", "description": "Heals.", "position": 10, "hidden": false }
    NewOffer {
        "category_id": 1, "name": "Health potion", "description": "A hundred of them.", "price": 25,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "position": 10, "hidden": false,
        "stock": 500, "account_limit": 5
    }
    ChangedOffer {
        "offer_id": 4, "category_id": 1, "name": "Health potion", "description": "A hundred of them.", "price": 20,
        "grants": [{ "kind": "item", "id": "266", "count": 100 }], "position": 10, "hidden": false,
        "stock": 500, "account_limit": 5
    }
}
