//! The routes of the OpenAPI document: as JSON, and as an interactive page.

use std::sync::OnceLock;

use bytes::Bytes;
use poem::{Endpoint, Response, Route, endpoint::make_sync, get, http::header};
use poem_openapi::OpenApiService;

use crate::http::{
    gzip,
    json::JSON,
    route_policy::{DOCS, OPENAPI_JSON},
};

static DOCUMENT: OnceLock<Made> = OnceLock::new();
static PAGE: OnceLock<Made> = OnceLock::new();

/// Adds `/openapi.json` and `/docs` to the routes. They are made when they are requested for the first time: the document needs some
/// time, and the page 4 MB. All threads share them.
pub(crate) fn add(routes: Route, document: fn() -> String) -> Route {
    routes
        .at(OPENAPI_JSON, get(constant(&DOCUMENT, JSON, move || document().into())))
        .at(DOCS, get(constant(&PAGE, "text/html; charset=utf-8", move || page(&document()))))
}

fn page(document: &str) -> Bytes {
    let empty = OpenApiService::new((), "", "");
    empty.swagger_ui_html().replace(&empty.spec(), document).into()
}

/// A text that never changes, in both of its forms. It is compressed once: that takes long, and all responses share the bytes.
struct Made {
    text: Bytes,
    compressed: Option<Bytes>,
}

/// An endpoint whose response is always the same.
fn constant(
    made: &'static OnceLock<Made>,
    media_type: &'static str,
    body: impl Fn() -> Bytes + Send + Sync + 'static,
) -> impl Endpoint {
    make_sync(move |request| {
        let Made { text, compressed } = made.get_or_init(|| {
            let text = body();
            Made { compressed: gzip::compress(&text).ok(), text }
        });
        let response = Response::builder().content_type(media_type);
        match compressed {
            Some(compressed) if gzip::is_accepted(&request) => response
                .header(header::CONTENT_ENCODING, "gzip")
                .header(header::VARY, "Accept-Encoding")
                .body(compressed.clone()),
            _ => response.body(text.clone()),
        }
    })
}
