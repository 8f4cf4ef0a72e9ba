//! Responses with a cached text that is not JSON.

use std::marker::PhantomData;

use guildhall_common::platform::cache::{Cache, Cacheable, CachedBody};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};

use crate::http::{
    problem::Problem,
    read_response::{PUBLIC, etag_header},
};

/// The kind of a text.
pub(crate) trait TextKind: Send {
    const MEDIA_TYPE: &'static str;
    /// The description of the response in the OpenAPI document.
    const DESCRIPTION: &'static str;
}

/// A text that is the same for every client.
pub(crate) struct TextResponse<K> {
    body: CachedBody,
    kind: PhantomData<K>,
}

impl<K> TextResponse<K> {
    /// The text from the cache, or else from `load`.
    ///
    /// # Errors
    /// The errors of `load`.
    pub(crate) async fn cached<V: Cacheable>(
        cache: &Cache,
        view: &V,
        load: impl AsyncFnOnce() -> Result<String, Problem>,
    ) -> Result<Self, Problem> {
        let load = async || Ok::<_, Problem>(CachedBody::new(load().await?.into_bytes(), None));
        Ok(Self { body: cache.get_or_load(view, load).await?, kind: PhantomData })
    }
}

impl<K: TextKind> IntoResponse for TextResponse<K> {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(K::MEDIA_TYPE)
            .header("ETag", self.body.quoted_etag())
            .header("Cache-Control", PUBLIC)
            .body(self.body.body)
    }
}

impl<K: TextKind> ApiResponse for TextResponse<K> {
    fn meta() -> MetaResponses {
        let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new("string")));
        let text = MetaResponse {
            description: K::DESCRIPTION,
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: K::MEDIA_TYPE, schema }],
            headers: vec![etag_header()],
        };
        MetaResponses { responses: vec![text] }
    }

    fn register(_: &mut Registry) {}
}
