//! The endpoints of offers.

mod bodies;
mod view;

use guildhall_common::contract::{
    shop::{CategoryId, ChangeStock, CreateOffer, DestroyOffer, EditOffer, OfferId, ReorderOffers},
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    auth::{OptionalCaller, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::{Paging, default_limit, first_page},
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    shop::{
        offers::{
            bodies::{ChangedOffer, NewOffer, NewStock, OfferOrder},
            view::{Offer, OfferList},
        },
        read::{self, sees_hidden},
    },
    state::State,
};

pub(crate) struct ShopOffers {
    pub state: State,
}

#[OpenApi(tag = "Tag::Shop")]
impl ShopOffers {
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
        let paging = Paging::new(page.0, limit.0, after.0);
        self.state.lists.cached_page(&OfferList::on_sale(category_id.0), paging).await
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
        view::offer(&self.state, &visitor, id.0).await
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
}
