//! Reads of the shop: hidden things are visible only to merchants, and everything else is cached.

use std::time::Duration;

use guildhall_common::{
    contract::{account::Role, cache_key::CacheKey, shop::shop_key},
    platform::cache::{Cacheable, CachedBody},
};

use crate::{
    auth::OptionalCaller,
    http::{
        list::CachedList,
        paging::Paging,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    state::State,
};

pub(super) const TTL: Duration = Duration::from_secs(300);

/// Whether the visitor sees hidden categories and offers.
pub(super) fn sees_hidden(visitor: &OptionalCaller) -> bool {
    visitor.0.as_ref().is_some_and(|caller| caller.is(Role::Merchant))
}

/// Reads a page of a list. A page with hidden things is not cached.
pub(super) async fn page<L: CachedList>(
    state: &State,
    with_hidden: bool,
    list: &L,
    paging: Paging,
) -> Result<ReadResponse<ListPage<L::Item>>, Problem> {
    if with_hidden {
        return state.lists.private_page(list, paging).await;
    }
    state.lists.cached_page(list, paging).await
}

/// One category or offer in the cache.
struct CachedView(String);

impl Cacheable for CachedView {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        shop_key()
    }

    fn field(&self) -> String {
        self.0.clone()
    }
}

/// Reads one category or offer. A view for a merchant is not cached.
pub(super) async fn view<T>(
    state: &State,
    with_hidden: bool,
    field: String,
    load: impl AsyncFnOnce() -> Result<CachedBody, Problem>,
) -> Result<ReadResponse<T>, Problem> {
    if with_hidden {
        return Ok(ReadResponse::private_body(load().await?));
    }
    ReadResponse::cached(&state.cache, &CachedView(field), load).await
}
