//! One log line and two metrics per request.

use crate::{http::request_data::current_request_id, middleware::Next};
use std::time::Instant;

use poem::{Endpoint, PathPattern, Request, Response, Result, http::Method};
use tracing::Instrument;

pub(super) async fn observe(next: Next, request: Request) -> Result<Response> {
    let began = Instant::now();
    let method = known(request.method());
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("request", http.request.id = current_request_id());
    let response = next.call(request).instrument(span.clone()).await;
    let response = response.unwrap_or_else(|error| error.into_response());
    let took = began.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| {
        tracing::info!(
            http.request.method = method,
            url.path = path,
            http.response.status_code = status,
            duration_ms = took.as_millis() as u64,
            "answered"
        );
    });
    // The pattern, not the path: a label has few values.
    let route = response.data::<PathPattern>().map_or("none".to_owned(), |pattern| pattern.0.to_string());
    let labels = [("method", method.to_owned()), ("route", route), ("status", status.to_string())];
    metrics::counter!("guildhall_http_requests_total", &labels).increment(1);
    metrics::histogram!("guildhall_http_request_seconds", &labels).record(took);
    Ok(response)
}

/// A caller may make up methods, and each label lives for ever.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
