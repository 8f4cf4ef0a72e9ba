//! Answers to reads: cached or fresh, single or in pages, each with its ETag.

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
    pub items: Vec<T>,
    /// 1 is the first.
    pub page: i64,
    /// The most items that a page has.
    pub limit: i64,
    /// Items on all pages.
    pub total: i64,
    pub pages: i64,
}

impl<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> Example for ListPage<T> {
    fn example() -> Self {
        Self { items: vec![T::example()], page: 1, limit: 20, total: 1, pages: 1 }
    }
}

/// An answer of which the bytes are there already.
pub(crate) struct ReadResponse<T> {
    stored: CachedBody,
    /// Who may keep it.
    cache_control: &'static str,
    link: Option<String>,
    value: PhantomData<T>,
}

/// Everybody gets the same; whoever keeps it asks each time whether it still holds.
const PUBLIC: &str = "public, no-cache";
/// For this caller alone.
const PRIVATE: &str = "private, no-cache";

/// Makes the bytes of an answer.
pub(crate) fn cached_body(value: &impl Serialize, total: Option<i64>) -> Result<CachedBody, Problem> {
    let body =
        serde_json::to_vec(value).map_err(|error| Problem::fault("an answer cannot be written", &error))?;
    Ok(CachedBody::new(body, total))
}

impl<T> ReadResponse<T> {
    /// The same for everybody: from the cache.
    ///
    /// # Errors
    /// Those of the load.
    pub(crate) async fn cached<V: Cacheable>(
        cache: &Cache,
        view: &V,
        load: impl Future<Output = Result<CachedBody, Problem>>,
    ) -> Result<Self, Problem> {
        let stored = cache.get_or_load(view, load).await?;
        Ok(Self { stored, cache_control: PUBLIC, link: None, value: PhantomData })
    }

    /// For this caller alone, made just now.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub(crate) fn private(value: &T) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self::private_stored(cached_body(value, None)?))
    }

    pub(crate) fn private_stored(stored: CachedBody) -> Self {
        Self { stored, cache_control: PRIVATE, link: None, value: PhantomData }
    }

    /// For this caller alone, and not to be kept: tokens.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub(crate) fn secret(value: &T) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self { cache_control: "no-store", ..Self::private(value)? })
    }
}

impl<T: Type + ParseFromJSON + ToJSON + Example> ReadResponse<ListPage<T>> {
    /// A page for this caller alone.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub(crate) fn private_page(items: Vec<T>, page: Page, limit: Limit, total: i64) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        Ok(Self::private_stored(page_body(items, page, limit, total)?))
    }

    /// Adds the `Link` header (RFC 8288) to the neighbouring pages.
    pub(crate) fn linked(mut self, page: Page, limit: Limit, to: impl Fn(i64) -> String) -> Self {
        let pages = pages(self.stored.total.unwrap_or(0), limit);
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

/// Lists without paging in their path begin here.
pub(crate) fn first_page() -> Page {
    Page::try_from(1).expect("1 is a page")
}

pub(crate) fn default_limit() -> Limit {
    Limit::try_from(20).expect("20 is a limit")
}

/// Makes the bytes of a page.
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
            .header("ETag", format!("\"{}\"", self.stored.etag))
            .header("Cache-Control", self.cache_control);
        if let Some(link) = self.link {
            response = response.header("Link", link);
        }
        response.body(self.stored.body)
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
            description: "Here it is.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }],
            headers: vec![header(
                "ETag",
                "Send it as `If-None-Match`: while the answer holds, 304 comes without it.",
            )],
        };
        MetaResponses { responses: vec![found] }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
