//! Lists: the count, the items of one page, and the links to the other pages.

use std::{future::Future, time::Duration};

use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        values::{Limit, Page},
    },
    platform::cache::{Cache, Cacheable},
};
use poem_openapi::types::{Example, ParseFromJSON, ToJSON, Type};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgPool;

use crate::http::{
    problem::Problem,
    read_response::{ListPage, ReadResponse, page_body},
};

/// The page that a request selects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging {
    page: Page,
    limit: Limit,
}

impl Paging {
    pub(crate) fn new(page: Page, limit: Limit) -> Self {
        Self { page, limit }
    }

    /// The maximum number of items on the page.
    pub(crate) fn limit(self) -> i64 {
        self.limit.get()
    }

    /// The number of items before the page.
    pub(crate) fn offset(self) -> i64 {
        self.page.offset(self.limit)
    }
}

/// A list that is read in pages.
pub(crate) trait List: Send + Sync {
    type Item: Type + ParseFromJSON + ToJSON + Example + Serialize;

    /// The number of items on all pages.
    fn count(&self, database: &PgPool) -> impl Future<Output = sqlx::Result<i64>> + Send;

    /// The items of one page.
    fn items(
        &self,
        database: &PgPool,
        paging: Paging,
    ) -> impl Future<Output = sqlx::Result<Vec<Self::Item>>> + Send;

    /// The path and the query of a page, for the `Link` header.
    fn path(&self, page: i64, limit: Limit) -> String;
}

/// A list that is the same for everybody, so that the cache can hold its pages.
pub(crate) trait CachedList: List {
    const TTL: Duration;

    fn key(&self) -> CacheKey;

    /// Distinguishes the lists and searches under one key. The page is `1:20` for the first 20 items.
    fn field(&self, page: String) -> String {
        page
    }
}

struct CachedPage<'a, L>(&'a L, Paging);

impl<L: CachedList> Cacheable for CachedPage<'_, L> {
    const TTL: Duration = L::TTL;

    fn key(&self) -> CacheKey {
        self.0.key()
    }

    fn field(&self) -> String {
        let Self(list, Paging { page, limit }) = self;
        list.field(format!("{page}:{limit}"))
    }
}

/// Reads a page for this caller only.
///
/// # Errors
/// 503 when the database does not respond.
pub(crate) async fn private_page<L: List>(
    database: &PgPool,
    list: &L,
    paging: Paging,
) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
    let total = list.count(database).await?;
    let items = list.items(database, paging).await?;
    Ok(linked(ReadResponse::private_page(items, paging.page, paging.limit, total)?, list, paging))
}

/// Returns a page from the cache, or reads and caches it.
///
/// # Errors
/// 503 when the database does not respond.
pub(crate) async fn cached_page<L: CachedList>(
    cache: &Cache,
    database: &PgPool,
    list: &L,
    paging: Paging,
) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
    let load = async {
        let total = list.count(database).await?;
        let items = list.items(database, paging).await?;
        page_body(items, paging.page, paging.limit, total)
    };
    Ok(linked(ReadResponse::cached(cache, &CachedPage(list, paging), load).await?, list, paging))
}

fn linked<L: List>(
    response: ReadResponse<ListPage<L::Item>>,
    list: &L,
    paging: Paging,
) -> ReadResponse<ListPage<L::Item>> {
    response.linked(paging.page, paging.limit, |page| list.path(page, paging.limit))
}

/// The query of a page, for lists whose page is not in the path.
pub(crate) fn page_query(page: i64, limit: Limit) -> String {
    format!("page={page}&limit={limit}")
}

/// A further parameter of a query: `&name=value`, or nothing.
pub(crate) fn parameter(name: &str, value: Option<impl Serialize>) -> String {
    match value.and_then(|value| serde_json::to_value(value).ok()) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => format!("&{name}={}", text.replace(' ', "%20")),
        Some(value) => format!("&{name}={value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_repeat_the_parameters_of_a_list() {
        let limit = Limit::try_from(20).unwrap();
        assert_eq!(page_query(2, limit), "page=2&limit=20");
        assert_eq!(parameter("search", Some("mira s")), "&search=mira%20s");
        assert_eq!(parameter("category_id", Some(7)), "&category_id=7");
        assert_eq!(parameter("status", None::<String>), "");
    }
}
