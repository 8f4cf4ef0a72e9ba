//! A page for link previews: HTML with Open Graph tags. The programs of chats and social networks read it instead of the page of
//! the site, which needs JavaScript.

use std::future::Future;

use guildhall_common::platform::cache::{Cache, Cacheable, CachedBody};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};

use crate::http::{
    markup::Escaped,
    problem::Problem,
    read_response::{PUBLIC, etag_header},
};

const MEDIA_TYPE: &str = "text/html; charset=utf-8";

/// What a link preview shows.
pub(crate) struct Preview<'a> {
    pub(crate) site_name: &'a str,
    /// The address of the page of the site.
    pub(crate) url: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    /// The address of an image with 1200 × 630 pixels.
    pub(crate) image: Option<&'a str>,
}

/// The response with the page.
pub(crate) struct SharePage(CachedBody);

impl Preview<'_> {
    /// The body of the page.
    pub(crate) fn to_body(&self) -> CachedBody {
        CachedBody::new(self.to_html().into_bytes(), None)
    }

    fn to_html(&self) -> String {
        let Self { site_name, url, title, description, image } = self;
        let image = image.map(image_tags).unwrap_or_default();
        format!(
            r#"<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>{title} · {site_name}</title>
    <link rel="canonical" href="{url}">
    <meta name="description" content="{description}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{site_name}">
    <meta property="og:url" content="{url}">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{description}">
{image}  </head>
  <body><a href="{url}">{title}</a></body>
</html>
"#,
            site_name = Escaped(site_name),
            url = Escaped(url),
            title = Escaped(title),
            description = Escaped(description),
        )
    }
}

fn image_tags(address: &str) -> String {
    format!(
        r#"    <meta property="og:image" content="{address}">
    <meta property="og:image:type" content="image/png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta name="twitter:card" content="summary_large_image">
"#,
        address = Escaped(address),
    )
}

impl SharePage {
    /// The page from the cache, or else from `load`.
    ///
    /// # Errors
    /// The errors of `load`.
    pub(crate) async fn cached<V: Cacheable>(
        cache: &Cache,
        view: &V,
        load: impl Future<Output = Result<CachedBody, Problem>>,
    ) -> Result<Self, Problem> {
        cache.get_or_load(view, load).await.map(Self)
    }
}

impl IntoResponse for SharePage {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(MEDIA_TYPE)
            .header("ETag", format!("\"{}\"", self.0.etag))
            .header("Cache-Control", PUBLIC)
            .body(self.0.body)
    }
}

impl ApiResponse for SharePage {
    fn meta() -> MetaResponses {
        let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new("string")));
        let page = MetaResponse {
            description: "The page.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type: MEDIA_TYPE, schema }],
            headers: vec![etag_header()],
        };
        MetaResponses { responses: vec![page] }
    }

    fn register(_: &mut Registry) {}
}
