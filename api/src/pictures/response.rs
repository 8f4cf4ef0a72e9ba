//! The response with a picture.

use std::marker::PhantomData;

use bytes::Bytes;
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};

/// The media type of a response in the OpenAPI document.
pub(crate) trait MediaType: Send {
    const DOCUMENTED: &'static str;
}

/// WebP or JPEG. An operation has one media type, so the document has the range of both.
pub(crate) struct AnyPicture;

impl MediaType for AnyPicture {
    const DOCUMENTED: &'static str = "image/*";
}

pub(crate) struct Png;

impl MediaType for Png {
    const DOCUMENTED: &'static str = "image/png";
}

/// A picture with its caching headers.
pub(crate) struct Picture<M> {
    pub(crate) bytes: Bytes,
    pub(crate) media_type: &'static str,
    /// Without quotes.
    pub(crate) etag: String,
    pub(crate) cache_control: &'static str,
    pub(crate) documented: PhantomData<M>,
}

impl<M: MediaType> IntoResponse for Picture<M> {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(self.media_type)
            .header("ETag", format!("\"{}\"", self.etag))
            .header("Cache-Control", self.cache_control)
            .body(self.bytes)
    }
}

impl<M: MediaType> ApiResponse for Picture<M> {
    fn meta() -> MetaResponses {
        image_responses(M::DOCUMENTED)
    }

    fn register(_: &mut Registry) {}
}

/// The description of a response with an image, for the OpenAPI document.
pub(crate) fn image_responses(media_type: &'static str) -> MetaResponses {
    let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")));
    let image = MetaResponse {
        description: "The image.",
        status: Some(200),
        status_range: None,
        content: vec![MetaMediaType { content_type: media_type, schema }],
        headers: vec![],
    };
    MetaResponses { responses: vec![image] }
}
