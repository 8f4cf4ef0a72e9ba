//! Lists: the count, the items of one page, and the links to the other pages.

use std::{future::Future, time::Duration};

use guildhall_common::{
    contract::cache_key::CacheKey,
    platform::cache::{Cache, Cacheable, CachedBody},
};
use poem_openapi::types::{Example, ParseFromJSON, ToJSON, Type};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::PgPool;

use crate::http::{
    cursor::{Cursor, CursorKeys},
    list_address::ListAddress,
    paging::{MAX_COUNTED, PageRows, Paging},
    problem::Problem,
    read_response::{ListPage, ReadResponse, cached_body},
};

/// A list that is read in pages.
///
/// Its queries read a bounded number of rows, however many there are: an index has the order and the conditions of the list.
pub(crate) trait List: Send + Sync {
    type Item: Type + ParseFromJSON + ToJSON + Example + Serialize;

    /// The sort keys of an item. No two items have the same ones.
    type Position: Serialize + DeserializeOwned + Send + Sync;

    /// The number of items on all pages. It counts no further than `limit`.
    fn count(&self, database: &PgPool, limit: i64) -> impl Future<Output = sqlx::Result<i64>> + Send;

    /// The rows of one page.
    fn items(
        &self,
        database: &PgPool,
        rows: PageRows<Self::Position>,
    ) -> impl Future<Output = sqlx::Result<Vec<Self::Item>>> + Send;

    fn position(item: &Self::Item) -> Self::Position;

    /// The address, for the `Link` header and the cache.
    fn address(&self) -> ListAddress;
}

/// A list that is the same for everybody, so that the cache can hold its pages.
pub(crate) trait CachedList: List {
    const TTL: Duration;

    fn key(&self) -> CacheKey;
}

struct CachedPage<'a, L>(&'a L, &'a Paging);

impl<L: CachedList> Cacheable for CachedPage<'_, L> {
    const TTL: Duration = L::TTL;

    fn key(&self) -> CacheKey {
        self.0.key()
    }

    fn field(&self) -> String {
        let Self(list, Paging { page, limit, .. }) = self;
        // Pages of 0.3.0 have cursors without a signature.
        format!("signed {}", list.address().page(page.get(), *limit, None))
    }
}

/// Reads pages of lists.
#[derive(Clone)]
pub(crate) struct Lists {
    database: PgPool,
    cache: Cache,
    cursor_keys: CursorKeys,
}

impl Lists {
    /// The first of the keys signs cursors, and all of them verify.
    pub(crate) fn new(database: &PgPool, cache: &Cache, keys: impl Iterator<Item = [u8; 32]>) -> Self {
        Self { database: database.clone(), cache: cache.clone(), cursor_keys: CursorKeys::new(keys) }
    }

    /// The same lists with another connection to the cache.
    pub(crate) fn with_cache(&self, cache: &Cache) -> Self {
        Self { cache: cache.clone(), ..self.clone() }
    }

    /// Reads a page for this caller only.
    ///
    /// # Errors
    /// 400 when the page or the cursor is invalid; 503 when the database does not respond.
    pub(crate) async fn private_page<L: List>(
        &self,
        list: &L,
        paging: Paging,
    ) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
        Ok(ReadResponse::private_body(self.load(list, &paging).await?))
    }

    /// Reads a page that is the same for everybody, and does not cache it: it changes too often.
    ///
    /// # Errors
    /// 400 when the page or the cursor is invalid; 503 when the database does not respond.
    pub(crate) async fn public_page<L: List>(
        &self,
        list: &L,
        paging: Paging,
    ) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
        Ok(ReadResponse::public_body(self.load(list, &paging).await?))
    }

    /// Returns a page from the cache, or reads and caches it. A page after a cursor is not cached: there are many cursors, and their
    /// pages would take the places of others.
    ///
    /// # Errors
    /// 400 when the page or the cursor is invalid; 503 when the database does not respond.
    pub(crate) async fn cached_page<L: CachedList>(
        &self,
        list: &L,
        paging: Paging,
    ) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
        if paging.after.is_some() {
            return self.public_page(list, paging).await;
        }
        ReadResponse::cached(&self.cache, &CachedPage(list, &paging), || self.load(list, &paging)).await
    }

    async fn load<L: List>(&self, list: &L, paging: &Paging) -> Result<CachedBody, Problem> {
        let address = list.address();
        let selection = address.selection();
        let verify = |cursor| self.cursor_keys.verify(&selection, cursor);
        let rows = paging.rows(paging.after.as_ref().map(verify).transpose()?)?;
        let total = match paging.after {
            None => {
                Some(list.count(&self.database, MAX_COUNTED + 1).await?).filter(|total| *total <= MAX_COUNTED)
            }
            Some(_) => None,
        };
        let mut items = list.items(&self.database, rows).await?;
        let (page, limit) = (paging.page.get(), paging.limit.get());
        let size = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_next = items.len() > size;
        items.truncate(size);
        let last = items.last().filter(|_| has_next);
        let next = last.map(|item| self.cursor_keys.sign(&selection, &L::position(item))).transpose()?;
        let pages = total.map(|total| (total + limit - 1) / limit);
        let link = link(&address, paging, pages, next.as_ref());
        cached_body(&ListPage { items, page, limit, total, pages, next }, Some(link))
    }
}

/// The header `Link` (RFC 8288) with the first, the previous, the next and the last page, as far as they are known.
fn link(address: &ListAddress, paging: &Paging, pages: Option<i64>, next: Option<&Cursor>) -> String {
    let Paging { page, limit, after } = paging;
    let (page, after) = (page.get(), after.as_ref());
    let mut links = vec![("first", address.page(1, *limit, None))];
    if page > 1 {
        let previous = pages.map_or(page - 1, |pages| (page - 1).min(pages.max(1)));
        links.push(("prev", address.page(previous, *limit, after)));
    }
    if let Some(next) = next {
        let has_number = after.is_none() && page * limit.get() < MAX_COUNTED;
        let next = if has_number {
            address.page(page + 1, *limit, None)
        } else {
            address.page(1, *limit, Some(next))
        };
        links.push(("next", next));
    }
    if let Some(pages) = pages {
        links.push(("last", address.page(pages.max(1), *limit, None)));
    }
    let links: Vec<String> =
        links.into_iter().map(|(rel, path)| format!("<{path}>; rel=\"{rel}\"")).collect();
    links.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link_of(page: i64, after: Option<&str>, pages: Option<i64>, next: Option<&str>) -> String {
        let cursor = |text: &str| text.parse::<Cursor>().unwrap();
        let paging = Paging::new(page.try_into().unwrap(), 100.try_into().unwrap(), after.map(cursor));
        link(&ListAddress::with_path("/l"), &paging, pages, next.map(cursor).as_ref())
    }

    #[test]
    fn pages_are_linked_by_number_as_far_as_they_are_counted() {
        assert_eq!(
            link_of(2, None, Some(3), Some("a")),
            r#"</l/1/100>; rel="first", </l/1/100>; rel="prev", </l/3/100>; rel="next", </l/3/100>; rel="last""#
        );
        assert_eq!(
            link_of(9, None, Some(0), None),
            r#"</l/1/100>; rel="first", </l/1/100>; rel="prev", </l/1/100>; rel="last""#
        );
        assert_eq!(
            link_of(100, None, None, Some("a")),
            r#"</l/1/100>; rel="first", </l/99/100>; rel="prev", </l/1/100?after=a>; rel="next""#
        );
    }

    #[test]
    fn pages_after_a_cursor_are_linked_by_cursors() {
        assert_eq!(
            link_of(1, Some("a"), None, Some("b")),
            r#"</l/1/100>; rel="first", </l/1/100?after=b>; rel="next""#
        );
        assert_eq!(
            link_of(2, Some("a"), None, None),
            r#"</l/1/100>; rel="first", </l/1/100?after=a>; rel="prev""#
        );
    }
}
