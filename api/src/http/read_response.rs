//! Responses to reads: cached or fresh, one object or a page of a list, each with its ETag.

use std::marker::PhantomData;

use guildhall_common::platform::cache::{Cache, Cacheable, CachedBody};
use poem::{
    IntoResponse, Response,
    http::{HeaderValue, header},
};
use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::{Example, ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use crate::http::{
    cursor::Cursor,
    json::JSON,
    problem::Problem,
    sent_command::{NoCommand, SentCommand},
};

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
    /// The number of items on all pages. Missing above 10,000, and in responses to requests with `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    /// The number of pages. Missing if `total` is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<i64>,
    /// Send it as `after` to get the page after this one. Missing on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}

impl<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> Example for ListPage<T> {
    fn example() -> Self {
        Self { items: vec![T::example()], page: 1, limit: 20, total: Some(1), pages: Some(1), next: None }
    }
}

/// A response whose body is already serialised, of an operation that sends the command `C`.
pub(crate) struct ReadResponse<T, C = NoCommand> {
    body: CachedBody,
    /// The header `Cache-Control`.
    cache_control: &'static str,
    value: PhantomData<(T, C)>,
}

/// Every client gets the same response. A cache must revalidate it for each request.
pub(crate) const PUBLIC: &str = "public, no-cache";
/// The response is for this caller only.
const PRIVATE: &str = "private, no-cache";

/// Serialises the body of a response. A page of a list has a `Link` header.
pub(crate) fn cached_body(value: &impl Serialize, link: Option<String>) -> Result<CachedBody, Problem> {
    let body = serde_json::to_vec(value)
        .map_err(|error| Problem::internal("a response body cannot be serialised", &error))?;
    Ok(CachedBody::new(body, link))
}

impl<T, C> ReadResponse<T, C> {
    /// A response that is the same for every client. It comes from the cache, or else from `load`.
    ///
    /// # Errors
    /// The errors of `load`.
    pub(crate) async fn cached<V: Cacheable>(
        cache: &Cache,
        view: &V,
        load: impl AsyncFnOnce() -> Result<CachedBody, Problem>,
    ) -> Result<Self, Problem> {
        let body = cache.get_or_load(view, load).await?;
        Ok(Self { body, cache_control: PUBLIC, value: PhantomData })
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

    /// A response that is the same for every client, from a serialised body.
    pub(crate) fn public_body(body: CachedBody) -> Self {
        Self { body, cache_control: PUBLIC, value: PhantomData }
    }

    /// A response for this caller only, from a serialised body.
    pub(crate) fn private_body(body: CachedBody) -> Self {
        Self { body, cache_control: PRIVATE, value: PhantomData }
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

impl<T: Send, C: Send> IntoResponse for ReadResponse<T, C> {
    fn into_response(self) -> Response {
        let etag = HeaderValue::try_from(self.body.quoted_etag());
        let link = self.body.link.map(HeaderValue::try_from);
        let mut response = Response::builder().body(self.body.body);
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        headers.extend(etag.map(|etag| (header::ETAG, etag)));
        headers.extend(link.and_then(Result::ok).map(|link| (header::LINK, link)));
        response
    }
}

/// More headers than any response has, so that their map never grows.
const HEADERS: usize = 20;

/// The description of the header `ETag`.
pub(crate) fn etag_header() -> MetaHeader {
    let description = "The version of the response. Send it as `If-None-Match`: if nothing has changed, the response is 304 without a body.";
    MetaHeader {
        name: "ETag".to_owned(),
        description: Some(description.to_owned()),
        required: true,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
    }
}

impl<T: Type, C: SentCommand> ApiResponse for ReadResponse<T, C> {
    fn meta() -> MetaResponses {
        let found = MetaResponse {
            description: "The requested data.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }],
            headers: [etag_header()].into_iter().chain(C::header()).collect(),
        };
        MetaResponses { responses: vec![found] }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
