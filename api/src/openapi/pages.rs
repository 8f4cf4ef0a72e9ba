//! The routes of the OpenAPI document: as JSON, and as an interactive page.

use std::sync::OnceLock;

use bytes::Bytes;
use poem::{Endpoint, Response, Route, endpoint::make_sync, get};
use poem_openapi::OpenApiService;

use crate::http::{
    json::JSON,
    route_policy::{DOCS, OPENAPI_JSON},
};

/// Adds `/openapi.json` and `/docs` to the routes. They are made when they are requested for the first time: the document needs some
/// time, and the page 4 MB.
pub(crate) fn add(routes: Route, document: fn() -> String) -> Route {
    routes
        .at(OPENAPI_JSON, get(constant(JSON, move || document().into())))
        .at(DOCS, get(constant("text/html; charset=utf-8", move || page(&document()))))
}

fn page(document: &str) -> Bytes {
    let empty = OpenApiService::new((), "", "");
    empty.swagger_ui_html().replace(&empty.spec(), document).into()
}

/// An endpoint whose response is always the same.
fn constant(media_type: &'static str, body: impl Fn() -> Bytes + Send + Sync + 'static) -> impl Endpoint {
    let made = OnceLock::new();
    make_sync(move |_| Response::builder().content_type(media_type).body(made.get_or_init(&body).clone()))
}
