//! One log line and two metrics for each request.

use std::{cell::RefCell, collections::HashMap, time::Instant};

use metrics::{Counter, Histogram};
use poem::{PathPattern, Request, Response, http::Method};

/// A request whose response is not known yet.
pub(super) struct LoggedRequest {
    started: Instant,
    method: &'static str,
    path: String,
}

impl LoggedRequest {
    pub(super) fn new(request: &Request) -> Self {
        let (method, path) = (method_name(request.method()), request.uri().path().to_owned());
        Self { started: Instant::now(), method, path }
    }

    /// Writes the log line, and counts the request.
    pub(super) fn log(self, response: &Response) {
        let (duration, status) = (self.started.elapsed(), response.status().as_u16());
        tracing::info!(
            http.request.method = self.method,
            url.path = self.path,
            http.response.status_code = status,
            duration_ms = duration.as_millis() as u64,
            "request completed"
        );
        // The label is the pattern of the path, because each value of a label is a time series.
        let route = response.data::<PathPattern>().map_or("none", |pattern| &pattern.0);
        with_series(self.method, route, status, |series| {
            series.requests.increment(1);
            series.seconds.record(duration);
        });
    }
}

/// The metrics of one method, route and status.
struct Series {
    method: &'static str,
    status: u16,
    requests: Counter,
    seconds: Histogram,
}

/// Finds the series. Each thread keeps those that it has used, because a look-up in the registry allocates the labels again.
fn with_series(method: &'static str, route: &str, status: u16, record: impl FnOnce(&Series)) {
    thread_local! {
        static SERIES: RefCell<HashMap<String, Vec<Series>>> = RefCell::default();
    }
    SERIES.with_borrow_mut(|by_route| {
        if let Some(of_route) = by_route.get(route)
            && let Some(found) = of_route.iter().find(|it| it.method == method && it.status == status)
        {
            return record(found);
        }
        let labels =
            [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
        let requests = metrics::counter!("guildhall_http_requests_total", &labels);
        let seconds = metrics::histogram!("guildhall_http_request_seconds", &labels);
        let series = Series { method, status, requests, seconds };
        record(&series);
        by_route.entry(route.to_owned()).or_default().push(series);
    });
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
