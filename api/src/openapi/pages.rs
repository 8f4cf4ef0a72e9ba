//! The routes of the OpenAPI document: as JSON, and as an interactive page.

use bytes::Bytes;
use poem::{Endpoint, Response, Route, endpoint::make_sync, get};
use poem_openapi::{OpenApi, OpenApiService};

use crate::http::{
    json::JSON,
    route_policy::{DOCS, OPENAPI_JSON},
};

/// Adds `/openapi.json` and `/docs` to the routes.
pub(crate) fn add<A: OpenApi>(routes: Route, service: &OpenApiService<A, ()>, document: String) -> Route {
    let page = service.swagger_ui_html().replace(&service.spec(), &document);
    routes
        .at(OPENAPI_JSON, get(constant(JSON, document)))
        .at(DOCS, get(constant("text/html; charset=utf-8", page)))
}

/// An endpoint whose response is always the same.
fn constant(media_type: &'static str, body: String) -> impl Endpoint + 'static {
    let body = Bytes::from(body);
    make_sync(move |_| Response::builder().content_type(media_type).body(body.clone()))
}
