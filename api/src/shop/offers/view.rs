//! Views of offers: their SELECTs and cache entries.

use std::time::Duration;

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::Refusal,
    shop::{CategoryId, Grant, OfferId, ShopRefusal, shop_key},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json};

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

/// An offer of the shop.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Offer {
    pub offer_id: OfferId,
    pub category_id: CategoryId,
    pub category_name: String,
    pub name: String,
    pub description: String,
    /// The address of a picture on the site. Empty: no picture.
    #[serde(default)]
    pub picture: String,
    /// The price in coins.
    pub price: i64,
    /// The items that the buyer gets.
    pub grants: Vec<Grant>,
    /// Smaller numbers come first.
    pub position: i32,
    /// Hidden offers are visible only to merchants.
    pub hidden: bool,
    /// The number of pieces that are left. Missing: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<i32>,
    /// The number of pieces that one account may buy in total. Missing: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_limit: Option<i32>,
    /// Send it as `expected_version` of an edit.
    #[serde(default)]
    pub version: i32,
    /// The position of the category, for cursors.
    #[serde(skip)]
    #[oai(skip)]
    pub category_position: i32,
}

/// Loads one offer.
///
/// # Errors
/// 404 when it does not exist or the visitor does not see it; 503 when the database does not respond.
pub(super) async fn offer(
    state: &State,
    visitor: &OptionalCaller,
    id: OfferId,
) -> Result<ReadResponse<Offer>, Problem> {
    let with_hidden = sees_hidden(visitor);
    let load = async || {
        let filter = OfferFilter { with_hidden, offer_id: Some(id), category_id: None };
        let offer = filter.select(&state.database, PageRows::first(1)).await?.pop();
        cached_body(&offer.ok_or_else(|| ShopRefusal::OfferNotFound.refused())?, None)
    };
    view(state, with_hidden, format!("offer:{id}"), load).await
}

/// The position of a category and its id, the position of an offer and its id.
type OfferPosition = (i32, CategoryId, i32, OfferId);

/// The offers with an id and in a category. None selects all.
struct OfferFilter {
    with_hidden: bool,
    offer_id: Option<OfferId>,
    category_id: Option<CategoryId>,
}

impl OfferFilter {
    /// Reads one category after the other, and at most the rows of the page from each.
    async fn select(&self, database: &PgPool, rows: PageRows<OfferPosition>) -> sqlx::Result<Vec<Offer>> {
        let end = rows.end();
        let (category, offer) = rows
            .after
            .map(|(category, category_id, position, offer_id)| {
                ((category, category_id), (position, offer_id))
            })
            .unzip();
        let ((category_position, category_id), (position, offer_id)) = (category.unzip(), offer.unzip());
        let rows = sqlx::query!(
            r#"select offer_id as "offer_id!: OfferId", category.category_id as "category_id!: CategoryId",
                      category.name as category_name, offer.name as "name!", offer.description as "description!", picture as "picture!",
                      price as "price!", grants as "grants!: Json<Vec<Grant>>", offer.position as "position!",
                      offer.hidden as "hidden!", stock, account_limit, offer.version as "version!",
                      category.position as category_position
               from shop_categories as category cross join lateral (
                   select * from shop_offers
                   where shop_offers.category_id = category.category_id and archived_at is null
                     and ($1 or not hidden) and ($2::bigint is null or offer_id = $2)
                     and ($7::int is null or (position, offer_id)
                          > (case when category.category_id = $8 then $9::int else -2147483648 end,
                             case when category.category_id = $8 then $10::bigint else 0 end))
                   order by position, offer_id limit $6) as offer
               where ($1 or not category.hidden) and ($3::bigint is null or category.category_id = $3)
                 and ($2 is null or category.category_id = (select category_id from shop_offers where offer_id = $2))
                 and ($7 is null or (category.position, category.category_id) >= ($7, $8::bigint))
               order by category.position, category.category_id, offer.position, offer_id limit $4 offset $5"#,
            self.with_hidden,
            self.offer_id as Option<OfferId>,
            self.category_id as Option<CategoryId>,
            rows.limit,
            rows.offset,
            end,
            category_position,
            category_id as Option<CategoryId>,
            position,
            offer_id as Option<OfferId>,
        )
        .fetch_all(database)
        .await?;
        let offers = rows.into_iter().map(|row| Offer {
            offer_id: row.offer_id,
            category_id: row.category_id,
            category_name: row.category_name,
            name: row.name,
            description: row.description,
            picture: row.picture,
            price: row.price,
            grants: row.grants.0,
            position: row.position,
            hidden: row.hidden,
            stock: row.stock,
            account_limit: row.account_limit,
            version: row.version,
            category_position: row.category_position,
        });
        Ok(offers.collect())
    }
}

/// Offers, sorted by category and position.
pub(super) struct OfferList {
    path: &'static str,
    filter: OfferFilter,
}

impl OfferList {
    /// All offers that are not archived.
    pub(super) fn all(with_hidden: bool) -> Self {
        let filter = OfferFilter { with_hidden, offer_id: None, category_id: None };
        Self { path: "/shop/item/list", filter }
    }

    /// The visible offers, of one category if it is given.
    pub(super) fn on_sale(category_id: Option<CategoryId>) -> Self {
        let filter = OfferFilter { with_hidden: false, offer_id: None, category_id };
        Self { path: "/shop/offers", filter }
    }
}

impl List for OfferList {
    type Item = Offer;
    type Position = OfferPosition;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from shop_categories as category cross join lateral (
                         select from shop_offers
                         where shop_offers.category_id = category.category_id and archived_at is null
                           and ($1 or not hidden)
                         limit $3) as offer
                     where ($1 or not category.hidden) and ($2::bigint is null or category.category_id = $2)
                     limit $3) as counted"#,
            self.filter.with_hidden,
            self.filter.category_id as Option<CategoryId>,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<OfferPosition>) -> sqlx::Result<Vec<Offer>> {
        self.filter.select(database, rows).await
    }

    fn position(offer: &Offer) -> OfferPosition {
        (offer.category_position, offer.category_id, offer.position, offer.offer_id)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query(self.path).filter("category_id", self.filter.category_id)
    }
}

impl CachedList for OfferList {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        shop_key()
    }
}

guildhall_common::examples! {
    Offer {
        "offer_id": 4, "category_id": 1, "category_name": "Potions", "name": "Health potion",
        "description": "A hundred of them.", "picture": "/pictures/potion.png", "price": 25, "grants": [{ "kind": "item", "id": "266", "count": 100 }],
        "position": 10, "hidden": false, "stock": 500, "account_limit": 5,
        "version": 1
    }
}
