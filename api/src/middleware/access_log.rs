//! One log line and two metrics for each request.

use std::time::Instant;

use poem::{Endpoint, PathPattern, Request, Response, Result, http::Method};
use tracing::Instrument;

use crate::{
    http::{request_data::current_request_id, request_span::request_span},
    middleware::next::Next,
};

pub(super) async fn log_request(next: Next, request: Request) -> Result<Response> {
    let started = Instant::now();
    let method = method_name(request.method());
    let path = request.uri().path().to_owned();
    let span = request_span(&current_request_id());
    let response = next.call(request).instrument(span.clone()).await;
    let response = response.unwrap_or_else(|error| error.into_response());
    let duration = started.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| {
        tracing::info!(
            http.request.method = method,
            url.path = path,
            http.response.status_code = status,
            duration_ms = duration.as_millis() as u64,
            "request completed"
        );
    });
    // The label is the pattern of the path, because each value of a label is a time series.
    let route = response.data::<PathPattern>().map_or("none".to_owned(), |pattern| pattern.0.to_string());
    let labels = [("method", method.to_owned()), ("route", route), ("status", status.to_string())];
    metrics::counter!("guildhall_http_requests_total", &labels).increment(1);
    metrics::histogram!("guildhall_http_request_seconds", &labels).record(duration);
    Ok(response)
}

/// Unknown methods share one name. A client could invent many, and each would be a new time series.
fn method_name(method: &Method) -> &'static str {
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
