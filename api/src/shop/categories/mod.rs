//! The endpoints of categories.

mod bodies;
mod view;

use guildhall_common::contract::{
    shop::{CategoryId, CreateCategory, DestroyCategory, EditCategory, ReorderCategories},
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
        categories::{
            bodies::{CategoryOrder, ChangedCategory, NewCategory},
            view::{Category, CategoryList},
        },
        read::{self, sees_hidden},
    },
    state::State,
};

pub(crate) struct ShopCategories {
    pub state: State,
}

#[OpenApi(tag = "Tag::Shop")]
impl ShopCategories {
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
        view::category(&self.state, &visitor, id.0).await
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
}
