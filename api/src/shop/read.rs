//! Views of the shop, their TTL, their SELECTs. One SELECT per thing: who may see
//! hidden ones is a parameter of it.

use std::{future::Future, time::Duration};

use guildhall_common::{
    contract::{
        account::Role,
        cache_key::CacheKey,
        shop::{CategoryId, Grant, OfferId, shop_key},
        values::{Limit, Page},
    },
    platform::cache::{Cacheable, CachedBody},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    auth::OptionalCaller,
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse, cached_body, page_body},
    },
    state::State,
};

/// A category of the shop.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Category {
    pub category_id: i64,
    pub name: String,
    pub description: String,
    /// Small comes first.
    pub position: i32,
    /// Seen by merchants only.
    pub hidden: bool,
}

/// An offer of the shop.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Offer {
    pub offer_id: i64,
    pub category_id: i64,
    pub category_name: String,
    pub name: String,
    pub description: String,
    /// Coins.
    pub price: i64,
    /// What a buyer gets.
    pub grants: Vec<Grant>,
    /// Small comes first.
    pub position: i32,
    /// Seen by merchants only.
    pub hidden: bool,
    /// Pieces left; missing: without limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<i32>,
    /// Pieces one account may buy in all; missing: without limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_limit: Option<i32>,
}

/// What of the shop is asked for.
struct ShopView(String);

impl Cacheable for ShopView {
    const TTL: Duration = Duration::from_secs(300);

    fn key(&self) -> CacheKey {
        shop_key()
    }

    fn field(&self) -> String {
        self.0.clone()
    }
}

/// Merchants see what is hidden, freshly read; everybody else gets the cached answer.
fn sees_hidden(visitor: &OptionalCaller) -> bool {
    visitor.0.as_ref().is_some_and(|caller| caller.is(Role::Merchant))
}

async fn found<T>(
    state: &State,
    hidden: bool,
    field: String,
    load: impl Future<Output = Result<CachedBody, Problem>>,
) -> Result<ReadResponse<T>, Problem> {
    if hidden {
        return Ok(ReadResponse::private_body(load.await?));
    }
    ReadResponse::cached(&state.cache, &ShopView(field), load).await
}

pub(super) async fn categories(
    state: &State,
    visitor: &OptionalCaller,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<Category>>, Problem> {
    let hidden = sees_hidden(visitor);
    let load = async {
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from shop_categories where $1 or not hidden"#,
            hidden,
        )
        .fetch_one(&state.database)
        .await?;
        let items = sqlx::query_as!(
            Category,
            "select category_id, name, description, position, hidden from shop_categories
             where $1 or not hidden order by position, category_id limit $2 offset $3",
            hidden,
            limit.get(),
            page.offset(limit),
        )
        .fetch_all(&state.database)
        .await?;
        page_body(items, page, limit, total)
    };
    let field = format!("categories:{}:{}", page.get(), limit.get());
    let found = found::<ListPage<Category>>(state, hidden, field, load).await?;
    Ok(found.linked(page, limit, |page| format!("/shop/category/list?page={page}&limit={}", limit.get())))
}

pub(super) async fn category(
    state: &State,
    visitor: &OptionalCaller,
    id: CategoryId,
) -> Result<ReadResponse<Category>, Problem> {
    let hidden = sees_hidden(visitor);
    let load = async {
        let category = sqlx::query_as!(
            Category,
            "select category_id, name, description, position, hidden from shop_categories
             where category_id = $1 and ($2 or not hidden)",
            id.get(),
            hidden,
        )
        .fetch_optional(&state.database)
        .await?;
        cached_body(
            &category
                .ok_or_else(|| Problem::not_found("category_not_found", "There is no such category."))?,
            None,
        )
    };
    found(state, hidden, format!("category:{}", id.get()), load).await
}

pub(super) async fn offer(
    state: &State,
    visitor: &OptionalCaller,
    id: OfferId,
) -> Result<ReadResponse<Offer>, Problem> {
    let hidden = sees_hidden(visitor);
    let load = async {
        let wanted = Wanted { hidden, offer_id: Some(id.get()), category_id: None };
        let offer = wanted.select(state, 1, 0).await?.pop();
        cached_body(
            &offer.ok_or_else(|| Problem::not_found("offer_not_found", "There is no such offer."))?,
            None,
        )
    };
    found(state, hidden, format!("offer:{}", id.get()), load).await
}

pub(super) async fn offers(
    state: &State,
    visitor: &OptionalCaller,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
    let wanted = Wanted { hidden: sees_hidden(visitor), offer_id: None, category_id: None };
    let found = wanted.page(state, page, limit).await?;
    Ok(found.linked(page, limit, |page| format!("/shop/item/list?page={page}&limit={}", limit.get())))
}

pub(super) async fn on_sale(
    state: &State,
    category_id: Option<CategoryId>,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
    let wanted = Wanted { hidden: false, offer_id: None, category_id: category_id.map(CategoryId::get) };
    let found = wanted.page(state, page, limit).await?;
    let category = category_id.map(|id| format!("&category_id={}", id.get())).unwrap_or_default();
    Ok(found.linked(page, limit, |page| format!("/shop/offers?page={page}&limit={}{category}", limit.get())))
}

/// Which offers of the shop.
struct Wanted {
    /// Hidden ones too.
    hidden: bool,
    offer_id: Option<i64>,
    category_id: Option<i64>,
}

impl Wanted {
    async fn page(
        &self,
        state: &State,
        page: Page,
        limit: Limit,
    ) -> Result<ReadResponse<ListPage<Offer>>, Problem> {
        let load = async {
            let total = self.count(state).await?;
            let items = self.select(state, limit.get(), page.offset(limit)).await?;
            page_body(items, page, limit, total)
        };
        let field = format!("offers:{:?}:{}:{}", self.category_id, page.get(), limit.get());
        found(state, self.hidden, field, load).await
    }

    async fn count(&self, state: &State) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from shop_offers join shop_categories using (category_id)
               where archived_at is null and ($1 or not (shop_offers.hidden or shop_categories.hidden))
                 and ($2::bigint is null or category_id = $2)"#,
            self.hidden,
            self.category_id,
        )
        .fetch_one(&state.database)
        .await
    }

    async fn select(&self, state: &State, limit: i64, offset: i64) -> sqlx::Result<Vec<Offer>> {
        let rows = sqlx::query!(
            r#"select offer_id, category_id as "category_id!", shop_categories.name as category_name, shop_offers.name,
                      shop_offers.description, price, grants as "grants: Json<Vec<Grant>>", shop_offers.position,
                      shop_offers.hidden, stock, account_limit
               from shop_offers join shop_categories using (category_id)
               where archived_at is null and ($1 or not (shop_offers.hidden or shop_categories.hidden))
                 and ($2::bigint is null or offer_id = $2) and ($3::bigint is null or category_id = $3)
               order by shop_categories.position, category_id, shop_offers.position, offer_id limit $4 offset $5"#,
            self.hidden,
            self.offer_id,
            self.category_id,
            limit,
            offset,
        )
        .fetch_all(&state.database)
        .await?;
        let offers = rows.into_iter().map(|row| Offer {
            offer_id: row.offer_id,
            category_id: row.category_id,
            category_name: row.category_name,
            name: row.name,
            description: row.description,
            price: row.price,
            grants: row.grants.0,
            position: row.position,
            hidden: row.hidden,
            stock: row.stock,
            account_limit: row.account_limit,
        });
        Ok(offers.collect())
    }
}

guildhall_common::examples! {
    Category { "category_id": 1, "name": "Potions", "description": "Heals and restores.", "position": 10, "hidden": false }
    Offer {
        "offer_id": 4, "category_id": 1, "category_name": "Potions", "name": "Health potion",
        "description": "A hundred of them.", "price": 25, "grants": [{ "kind": "item", "id": "266", "count": 100 }],
        "position": 10, "hidden": false, "stock": 500, "account_limit": 5
    }
}
