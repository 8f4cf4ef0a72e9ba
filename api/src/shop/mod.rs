//! Bodies and endpoints of the shop.

mod purchases;
mod read;

use guildhall_common::contract::{
    character::{CharacterId, CharacterName},
    shop::{
        CategoryDestroyed, CategoryFields, CategoryId, CategorySaved, Count, CreateCategory, CreateOffer,
        DestroyCategory, DestroyOffer, Grant, OfferDestroyed, OfferFields, OfferId, OfferSaved, OrderLine,
        Position, Price, Purchase, Purchased, ShopDescription, ShopName, Stock, UpdateCategory, UpdateOffer,
    },
    values::{Limit, Page},
};
use poem_openapi::{Object, OpenApi, param::Path, param::Query};
use serde::Deserialize;

use crate::{
    auth::{Merchant, OptionalCaller, Player, RequireRole},
    guild::character,
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::{JsonBody, bounded_list},
        problem::Problem,
        read_response::{ListPage, ReadResponse, default_limit, first_page},
    },
    openapi::Tag,
    shop::{
        purchases::PurchaseState,
        read::{Category, Offer},
    },
    state::State,
};

pub(crate) struct Shop {
    pub state: State,
}

/// A category of the shop.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCategory {
    name: ShopName,
    description: ShopDescription,
    position: Position,
    /// Seen by merchants only.
    hidden: bool,
}

/// A category, all of it as it shall be.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedCategory {
    category_id: CategoryId,
    name: ShopName,
    description: ShopDescription,
    position: Position,
    /// Seen by merchants only.
    hidden: bool,
}

/// An offer of the shop.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewOffer {
    category_id: CategoryId,
    name: ShopName,
    description: ShopDescription,
    price: Price,
    /// What a buyer gets.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 10>")]
    #[oai(validator(min_items = 1, max_items = 10))]
    grants: Vec<Grant>,
    position: Position,
    /// Seen by merchants only.
    hidden: bool,
    /// Pieces left; missing: without limit.
    stock: Option<Stock>,
    /// Pieces one account may buy in all; missing: without limit.
    account_limit: Option<Count>,
}

/// An offer, all of it as it shall be.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ChangedOffer {
    offer_id: OfferId,
    category_id: CategoryId,
    name: ShopName,
    description: ShopDescription,
    price: Price,
    /// What a buyer gets.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 10>")]
    #[oai(validator(min_items = 1, max_items = 10))]
    grants: Vec<Grant>,
    position: Position,
    /// Seen by merchants only.
    hidden: bool,
    /// Pieces left; missing: without limit.
    stock: Option<Stock>,
    /// Pieces one account may buy in all; missing: without limit.
    account_limit: Option<Count>,
}

/// What to buy, and for whom: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPurchase {
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
    /// Of an offer that is named twice the quantities are added up.
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 20>")]
    #[oai(validator(min_items = 1, max_items = 20))]
    lines: Vec<OrderLine>,
}

#[OpenApi(tag = "Tag::Shop")]
impl Shop {
    /// List the categories by position
    ///
    /// Hidden ones are there for merchants only.
    #[oai(path = "/shop/category/list", method = "get", operation_id = "shop_category_list")]
    async fn categories(
        &self,
        visitor: OptionalCaller,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<Category>>, Problem> {
        read::categories(&self.state, &visitor, page.0, limit.0).await
    }

    /// Create a category
    ///
    /// For merchants. The name must not be another category's.
    #[oai(path = "/shop/category/create", method = "post", operation_id = "shop_category_create")]
    async fn create_category(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        body: JsonBody<NewCategory>,
    ) -> Result<CommandResponse<CategorySaved, 201>, Problem> {
        let NewCategory { name, description, position, hidden } = body.0;
        let command = CreateCategory(CategoryFields { name, description, position, hidden });
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Find a category
    ///
    /// Also at `/shop/category/find/{id}`.
    #[oai(path = "/shop/category/find:id", method = "get", operation_id = "shop_category_find")]
    async fn find_category(
        &self,
        visitor: OptionalCaller,
        id: Path<CategoryId>,
    ) -> Result<ReadResponse<Category>, Problem> {
        read::category(&self.state, &visitor, id.0).await
    }

    /// Change a category
    ///
    /// All of its fields are replaced.
    #[oai(path = "/shop/category/update", method = "put", operation_id = "shop_category_update")]
    async fn update_category(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        body: JsonBody<ChangedCategory>,
    ) -> Result<CommandResponse<CategorySaved>, Problem> {
        let ChangedCategory { category_id, name, description, position, hidden } = body.0;
        let command =
            UpdateCategory { category_id, fields: CategoryFields { name, description, position, hidden } };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Destroy a category
    ///
    /// It must be empty.
    #[oai(path = "/shop/category/destroy/:id", method = "delete", operation_id = "shop_category_destroy")]
    async fn destroy_category(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        id: Path<CategoryId>,
    ) -> Result<CommandResponse<CategoryDestroyed>, Problem> {
        self.state.commands.send(&call, caller.0.actor, DestroyCategory { category_id: id.0 }).await
    }

    /// List all offers by category and position
    ///
    /// Hidden ones, and those of hidden categories, are there for merchants only.
    #[oai(path = "/shop/item/list", method = "get", operation_id = "shop_offer_list")]
    async fn offers(
        &self,
        visitor: OptionalCaller,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
        read::offers(&self.state, &visitor, page.0, limit.0).await
    }

    /// List what is on sale
    ///
    /// What everybody sees, by category and position; of one category if asked for.
    #[oai(path = "/shop/offers", method = "get", operation_id = "shop_on_sale")]
    async fn on_sale(
        &self,
        category_id: Query<Option<CategoryId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
        read::on_sale(&self.state, category_id.0, page.0, limit.0).await
    }

    /// Create an offer
    ///
    /// For merchants. The name must not be another offer's of the category.
    #[oai(path = "/shop/item/create", method = "post", operation_id = "shop_offer_create")]
    async fn create_offer(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        body: JsonBody<NewOffer>,
    ) -> Result<CommandResponse<OfferSaved, 201>, Problem> {
        let NewOffer {
            category_id,
            name,
            description,
            price,
            grants,
            position,
            hidden,
            stock,
            account_limit,
        } = body.0;
        let command = CreateOffer(OfferFields {
            category_id,
            name,
            description,
            price,
            grants,
            position,
            hidden,
            stock,
            account_limit,
        });
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Find an offer
    ///
    /// Also at `/shop/item/find/{id}`.
    #[oai(path = "/shop/item/find:id", method = "get", operation_id = "shop_offer_find")]
    async fn find_offer(
        &self,
        visitor: OptionalCaller,
        id: Path<OfferId>,
    ) -> Result<ReadResponse<Offer>, Problem> {
        read::offer(&self.state, &visitor, id.0).await
    }

    /// Change an offer
    ///
    /// All of its fields are replaced.
    #[oai(path = "/shop/item/update", method = "put", operation_id = "shop_offer_update")]
    async fn update_offer(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        body: JsonBody<ChangedOffer>,
    ) -> Result<CommandResponse<OfferSaved>, Problem> {
        let ChangedOffer {
            offer_id,
            category_id,
            name,
            description,
            price,
            grants,
            position,
            hidden,
            stock,
            account_limit,
        } = body.0;
        let fields = OfferFields {
            category_id,
            name,
            description,
            price,
            grants,
            position,
            hidden,
            stock,
            account_limit,
        };
        self.state.commands.send(&call, caller.0.actor, UpdateOffer { offer_id, fields }).await
    }

    /// Destroy an offer
    ///
    /// It leaves the shop; what was bought stays in the history.
    #[oai(path = "/shop/item/destroy/:id", method = "delete", operation_id = "shop_offer_destroy")]
    async fn destroy_offer(
        &self,
        caller: RequireRole<Merchant>,
        call: CommandRequest,
        id: Path<OfferId>,
    ) -> Result<CommandResponse<OfferDestroyed>, Problem> {
        self.state.commands.send(&call, caller.0.actor, DestroyOffer { offer_id: id.0 }).await
    }

    /// Buy for a character
    ///
    /// One's own or, as a gift, another's. Coins, stock, limits, order and deliveries: all of it happens, or nothing.
    #[oai(path = "/shop/purchase", method = "post", operation_id = "shop_purchase")]
    async fn purchase(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewPurchase>,
    ) -> Result<CommandResponse<Purchased, 201>, Problem> {
        let NewPurchase { character_id, character_name, lines } = body.0;
        let character = character(character_id, character_name.as_ref())?;
        self.state.commands.send(&call, caller.0.actor, Purchase { character, lines }).await
    }

    /// List the own purchases, the newest first
    ///
    /// Each with what became of its deliveries.
    #[oai(path = "/shop/purchases/:page/:limit", method = "get", operation_id = "shop_purchases")]
    async fn purchases(
        &self,
        caller: RequireRole<Player>,
        page: Path<Page>,
        limit: Path<Limit>,
    ) -> Result<ReadResponse<ListPage<PurchaseState>>, Problem> {
        purchases::purchases(&self.state, caller.0.account_id(), page.0, limit.0).await
    }
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
