//! The endpoints of the shop.

mod bodies;
mod categories;
mod offers;
pub(crate) mod purchases;
mod read;

use guildhall_common::contract::{
    shop::{
        CategoryId, ChangeStock, CreateCategory, CreateOffer, DestroyCategory, DestroyOffer, EditCategory,
        EditOffer, OfferId, Purchase, ReorderCategories, ReorderOffers,
    },
    values::{Limit, Page},
};
use poem_openapi::{OpenApi, param::Path, param::Query};

use crate::{
    account::character_ref::character_ref,
    auth::{OptionalCaller, Player, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        list,
        paging::{Paging, default_limit, first_page},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    shop::{
        bodies::{
            CategoryOrder, ChangedCategory, ChangedOffer, NewCategory, NewOffer, NewPurchase, NewStock,
            OfferOrder,
        },
        categories::{Category, CategoryList},
        offers::{Offer, OfferList},
        purchases::{PurchaseList, PurchaseState},
        read::sees_hidden,
    },
    state::State,
};

pub(crate) struct Shop {
    pub state: State,
}

#[OpenApi(tag = "Tag::Shop")]
impl Shop {
    /// List the categories
    ///
    /// Sorted by position. Only merchants see hidden categories.
    #[oai(path = "/shop/category/list", method = "get", operation_id = "shop_category_list")]
    async fn categories(
        &self,
        visitor: OptionalCaller,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<Category>>, Problem> {
        let with_hidden = sees_hidden(&visitor);
        let paging = Paging::new(page.0, limit.0, after.0);
        read::page(&self.state, with_hidden, &CategoryList { with_hidden }, paging).await
    }

    /// Create a category
    ///
    /// For merchants. The name must be unique in the shop.
    #[oai(path = "/shop/category/create", method = "post", operation_id = "shop_category_create")]
    async fn create_category(
        &self,
        caller: SenderOf<CreateCategory>,
        request: CommandRequest,
        body: JsonBody<NewCategory>,
    ) -> Result<CommandResponse<CreateCategory, 201>, Problem> {
        self.state.commands.send(&request, &caller, CreateCategory::from(body.0)).await
    }

    /// Get a category
    ///
    /// The path `/shop/category/find/{id}` is equivalent.
    #[oai(path = "/shop/category/find:id", method = "get", operation_id = "shop_category_find")]
    async fn find_category(
        &self,
        visitor: OptionalCaller,
        id: Path<CategoryId>,
    ) -> Result<ReadResponse<Category>, Problem> {
        categories::category(&self.state, &visitor, id.0).await
    }

    /// Update a category
    ///
    /// For merchants. All fields are replaced, so a request without one of them is refused.
    #[oai(path = "/shop/category/update", method = "put", operation_id = "shop_category_update")]
    async fn update_category(
        &self,
        caller: SenderOf<EditCategory>,
        request: CommandRequest,
        body: JsonBody<ChangedCategory>,
    ) -> Result<CommandResponse<EditCategory>, Problem> {
        self.state.commands.send(&request, &caller, EditCategory::from(body.0)).await
    }

    /// Sort the categories
    ///
    /// For merchants. The body has all categories in their new order. Those that move get another version.
    #[oai(path = "/shop/category/reorder", method = "post", operation_id = "shop_category_reorder")]
    async fn reorder_categories(
        &self,
        caller: SenderOf<ReorderCategories>,
        request: CommandRequest,
        body: JsonBody<CategoryOrder>,
    ) -> Result<CommandResponse<ReorderCategories>, Problem> {
        let command = ReorderCategories { category_ids: body.0.category_ids };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Delete a category
    ///
    /// For merchants. The category must be empty.
    #[oai(path = "/shop/category/destroy/:id", method = "delete", operation_id = "shop_category_destroy")]
    async fn destroy_category(
        &self,
        caller: SenderOf<DestroyCategory>,
        request: CommandRequest,
        id: Path<CategoryId>,
    ) -> Result<CommandResponse<DestroyCategory>, Problem> {
        self.state.commands.send(&request, &caller, DestroyCategory { category_id: id.0 }).await
    }

    /// List all offers
    ///
    /// Sorted by category and position. Only merchants see hidden offers and the offers of hidden categories.
    #[oai(path = "/shop/item/list", method = "get", operation_id = "shop_offer_list")]
    async fn offers(
        &self,
        visitor: OptionalCaller,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
        let with_hidden = sees_hidden(&visitor);
        let paging = Paging::new(page.0, limit.0, after.0);
        read::page(&self.state, with_hidden, &OfferList::all(with_hidden), paging).await
    }

    /// List the offers on sale
    ///
    /// Sorted by category and position, without hidden offers. `category_id` selects one category.
    #[oai(path = "/shop/offers", method = "get", operation_id = "shop_on_sale")]
    async fn on_sale(
        &self,
        category_id: Query<Option<CategoryId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
        let State { cache, database, .. } = &self.state;
        let paging = Paging::new(page.0, limit.0, after.0);
        list::cached_page(cache, database, &OfferList::on_sale(category_id.0), paging).await
    }

    /// Create an offer
    ///
    /// For merchants. The name must be unique in the category.
    #[oai(path = "/shop/item/create", method = "post", operation_id = "shop_offer_create")]
    async fn create_offer(
        &self,
        caller: SenderOf<CreateOffer>,
        request: CommandRequest,
        body: JsonBody<NewOffer>,
    ) -> Result<CommandResponse<CreateOffer, 201>, Problem> {
        self.state.commands.send(&request, &caller, CreateOffer::try_from(body.0)?).await
    }

    /// Get an offer
    ///
    /// The path `/shop/item/find/{id}` is equivalent.
    #[oai(path = "/shop/item/find:id", method = "get", operation_id = "shop_offer_find")]
    async fn find_offer(
        &self,
        visitor: OptionalCaller,
        id: Path<OfferId>,
    ) -> Result<ReadResponse<Offer>, Problem> {
        offers::offer(&self.state, &visitor, id.0).await
    }

    /// Update an offer
    ///
    /// For merchants. All fields are replaced, except the stock, so a request without one of them is refused. Sales do not change the
    /// version.
    #[oai(path = "/shop/item/update", method = "put", operation_id = "shop_offer_update")]
    async fn update_offer(
        &self,
        caller: SenderOf<EditOffer>,
        request: CommandRequest,
        body: JsonBody<ChangedOffer>,
    ) -> Result<CommandResponse<EditOffer>, Problem> {
        self.state.commands.send(&request, &caller, EditOffer::try_from(body.0)?).await
    }

    /// Sort the offers of a category
    ///
    /// For merchants. The body has all offers of the category in their new order. Those that move get another version.
    #[oai(path = "/shop/item/reorder", method = "post", operation_id = "shop_offer_reorder")]
    async fn reorder_offers(
        &self,
        caller: SenderOf<ReorderOffers>,
        request: CommandRequest,
        body: JsonBody<OfferOrder>,
    ) -> Result<CommandResponse<ReorderOffers>, Problem> {
        let OfferOrder { category_id, offer_ids } = body.0;
        self.state.commands.send(&request, &caller, ReorderOffers { category_id, offer_ids }).await
    }

    /// Change the stock of an offer
    ///
    /// For merchants. `change` adds or removes pieces. `set` and `unlimited` replace the stock if it is as expected, so that no sale is
    /// lost.
    #[oai(path = "/shop/item/change-stock", method = "post", operation_id = "shop_offer_change_stock")]
    async fn change_stock(
        &self,
        caller: SenderOf<ChangeStock>,
        request: CommandRequest,
        body: JsonBody<NewStock>,
    ) -> Result<CommandResponse<ChangeStock>, Problem> {
        self.state.commands.send(&request, &caller, ChangeStock::try_from(body.0)?).await
    }

    /// Archive an offer
    ///
    /// For merchants. It can no longer be bought. Purchases of it stay in the history.
    #[oai(path = "/shop/item/destroy/:id", method = "delete", operation_id = "shop_offer_destroy")]
    async fn destroy_offer(
        &self,
        caller: SenderOf<DestroyOffer>,
        request: CommandRequest,
        id: Path<OfferId>,
    ) -> Result<CommandResponse<DestroyOffer>, Problem> {
        self.state.commands.send(&request, &caller, DestroyOffer { offer_id: id.0 }).await
    }

    /// Buy offers for a character
    ///
    /// The character may belong to another account: then it is a gift. The purchase is atomic: all lines are bought, or none.
    #[oai(path = "/shop/purchase", method = "post", operation_id = "shop_purchase")]
    async fn purchase(
        &self,
        caller: SenderOf<Purchase>,
        request: CommandRequest,
        body: JsonBody<NewPurchase>,
    ) -> Result<CommandResponse<Purchase, 201>, Problem> {
        let NewPurchase { character_id, character_name, lines } = body.0;
        let character = character_ref(character_id, character_name)?;
        self.state.commands.send(&request, &caller, Purchase { character, lines }).await
    }

    /// List my purchases, newest first
    ///
    /// Each purchase has the status and the events of its deliveries.
    #[oai(path = "/shop/purchases/:page/:limit", method = "get", operation_id = "shop_purchases")]
    async fn purchases(
        &self,
        caller: RequireRole<Player>,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<PurchaseState>>, Problem> {
        let purchases = PurchaseList { account_id: caller.0.account_id()? };
        list::private_page(&self.state.database, &purchases, Paging::new(page.0, limit.0, after.0)).await
    }
}
