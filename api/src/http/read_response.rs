//! Responses to reads: cached or fresh, one object or a page of a list, each with its ETag.

use std::{future::Future, marker::PhantomData};

use guildhall_common::{
    contract::values::{Limit, Page},
    platform::cache::{Cache, Cacheable, CachedBody},
};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::{Example, ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use crate::http::{json::JSON, problem::Problem};

/// One page of a list.
#[derive(Debug, Serialize, Object)]
#[oai(example)]
pub(crate) struct ListPage<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> {
    /// The items of this page.
    pub items: Vec<T>,
    /// The number of this page, from 1.
    pub page: i64,
    /// The maximum number of items on a page.
    pub limit: i64,
    /// The number of items on all pages.
    pub total: i64,
    /// The number of pages.
    pub pages: i64,
}

impl<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> Example for ListPage<T> {
    fn example() -> Self {
        Self { items: vec![T::example()], page: 1, limit: 20, total: 1, pages: 1 }
    }
}

/// A response whose body is already serialised.
pub(crate) struct ReadResponse<T> {
    body: CachedBody,
    /// The header `Cache-Control`.
    cache_control: &'static str,
    link: Option<String>,
    value: PhantomData<T>,
}

/// Every client gets the same response. A cache must revalidate it for each request.
const PUBLIC: &str = "public, no-cache";
/// The response is for this caller only.
const PRIVATE: &str = "private, no-cache";

/// Serialises the body of a response. A list has the number of all its items in `total`.
pub(crate) fn cached_body(value: &impl Serialize, total: Option<i64>) -> Result<CachedBody, Problem> {
    let body = serde_json::to_vec(value)
        .map_err(|error| Problem::internal("a response body cannot be serialised", &error))?;
    Ok(CachedBody::new(body, total))
}

impl<T> ReadResponse<T> {
    /// A response that is the same for every client. It comes from the cache, or else from `load`.
    ///
    /// # Errors
    /// The errors of `load`.
    pub(crate) async fn cached<V: Cacheable>(
        cache: &Cache,
        view: &V,
        load: impl Future<Output = Result<CachedBody, Problem>>,
    ) -> Result<Self, Problem> {
        let body = cache.get_or_load(view, load).await?;
        Ok(Self { body, cache_control: PUBLIC, link: None, value: PhantomData })
    }

    /// A response for this caller only.
    ///
    /// # Errors
    /// The value cannot be serialised.
    pub(crate) fn private(value: &T) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self::private_body(cached_body(value, None)?))
    }

    /// A response for this caller only, from a serialised body.
    pub(crate) fn private_body(body: CachedBody) -> Self {
        Self { body, cache_control: PRIVATE, link: None, value: PhantomData }
    }

    /// A response that no cache may store, for example tokens.
    ///
    /// # Errors
    /// The value cannot be serialised.
    pub(crate) fn secret(value: &T) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self { cache_control: "no-store", ..Self::private(value)? })
    }
}

impl<T: Type + ParseFromJSON + ToJSON + Example> ReadResponse<ListPage<T>> {
    /// A page of a list for this caller only.
    ///
    /// # Errors
    /// The items cannot be serialised.
    pub(crate) fn private_page(items: Vec<T>, page: Page, limit: Limit, total: i64) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self::private_body(page_body(items, page, limit, total)?))
    }

    /// Adds the `Link` header (RFC 8288) with the first, previous, next and last page.
    pub(crate) fn linked(mut self, page: Page, limit: Limit, to: impl Fn(i64) -> String) -> Self {
        let pages = pages(self.body.total.unwrap_or(0), limit);
        let page = page.get();
        let mut links = vec![("first", 1)];
        if page > 1 {
            links.push(("prev", (page - 1).min(pages.max(1))));
        }
        if page < pages {
            links.push(("next", page + 1));
        }
        links.push(("last", pages.max(1)));
        let links: Vec<String> =
            links.into_iter().map(|(rel, page)| format!("<{}>; rel=\"{rel}\"", to(page))).collect();
        self.link = Some(links.join(", "));
        self
    }
}

/// The page of a list if the request names none.
pub(crate) fn first_page() -> Page {
    Page::try_from(1).expect("1 is a page")
}

/// The page size of a list if the request names none.
pub(crate) fn default_limit() -> Limit {
    Limit::try_from(20).expect("20 is a limit")
}

/// Serialises a page of a list.
pub(crate) fn page_body<T>(items: Vec<T>, page: Page, limit: Limit, total: i64) -> Result<CachedBody, Problem>
where
    T: Serialize + Type + ParseFromJSON + ToJSON + Example,
{
    let listing = ListPage { items, page: page.get(), limit: limit.get(), total, pages: pages(total, limit) };
    cached_body(&listing, Some(total))
}

fn pages(total: i64, limit: Limit) -> i64 {
    (total + limit.get() - 1) / limit.get()
}

impl<T: Send> IntoResponse for ReadResponse<T> {
    fn into_response(self) -> Response {
        let mut response = Response::builder()
            .content_type(JSON)
            .header("ETag", format!("\"{}\"", self.body.etag))
            .header("Cache-Control", self.cache_control);
        if let Some(link) = self.link {
            response = response.header("Link", link);
        }
        response.body(self.body.body)
    }
}

impl<T: Type> ApiResponse for ReadResponse<T> {
    fn meta() -> MetaResponses {
        let header = |name: &str, description: &str| MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: true,
            deprecated: false,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        };
        let found = MetaResponse {
            description: "The requested data.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }],
            headers: vec![header(
                "ETag",
                "The version of the response. Send it as `If-None-Match`: if nothing has changed, the response is 304 without a body.",
            )],
        };
        MetaResponses { responses: vec![found] }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
