//! Views of categories: their SELECTs and cache entries.

use std::time::Duration;

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::Refusal,
    shop::{CategoryId, ShopRefusal, shop_key},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::OptionalCaller,
    http::{
        list::{CachedList, List},
        list_address::ListAddress,
        paging::PageRows,
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    shop::read::{TTL, sees_hidden, view},
    state::State,
};

/// A category of the shop.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Category {
    pub category_id: CategoryId,
    pub name: String,
    pub description: String,
    /// Smaller numbers come first.
    pub position: i32,
    /// Hidden categories are visible only to merchants.
    pub hidden: bool,
    /// Send it as `expected_version` of an edit.
    #[serde(default)]
    pub version: i32,
}

/// The categories, sorted by position.
pub(super) struct CategoryList {
    pub with_hidden: bool,
}

impl List for CategoryList {
    type Item = Category;
    type Position = (i32, CategoryId);

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from shop_categories where $1 or not hidden limit $2) as counted"#,
            self.with_hidden,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<(i32, CategoryId)>,
    ) -> sqlx::Result<Vec<Category>> {
        let (position, category_id) = rows.after.unzip();
        sqlx::query_as!(
            Category,
            r#"select category_id as "category_id: CategoryId", name, description, position, hidden, version
               from shop_categories
               where ($1 or not hidden) and ($4::int is null or (position, category_id) > ($4, $5::bigint))
               order by position, category_id limit $2 offset $3"#,
            self.with_hidden,
            rows.limit,
            rows.offset,
            position,
            category_id as Option<CategoryId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(category: &Category) -> (i32, CategoryId) {
        (category.position, category.category_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/shop/category/list")
    }
}

impl CachedList for CategoryList {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        shop_key()
    }
}

/// Loads one category.
///
/// # Errors
/// 404 when it does not exist or the visitor does not see it; 503 when the database does not respond.
pub(super) async fn category(
    state: &State,
    visitor: &OptionalCaller,
    id: CategoryId,
) -> Result<ReadResponse<Category>, Problem> {
    let with_hidden = sees_hidden(visitor);
    let load = async || {
        let category = sqlx::query_as!(
            Category,
            r#"select category_id as "category_id: CategoryId", name, description, position, hidden, version
               from shop_categories where category_id = $1 and ($2 or not hidden)"#,
            id.get(),
            with_hidden,
        )
        .fetch_optional(&state.database)
        .await?;
        cached_body(&category.ok_or_else(|| ShopRefusal::CategoryNotFound.refused())?, None)
    };
    view(state, with_hidden, format!("category:{id}"), load).await
}

guildhall_common::examples! {
    Category { "category_id": 1, "name": "Potions", "description": "Heals and restores.", "position": 10, "hidden": false }
}
