use futures_util::FutureExt;
use poem::{
    Response,
    http::{Request, StatusCode, header, request::Builder},
};
use serde_json::Value;

use crate::api::API;

/// A request: method and target in the first line, headers, an empty line, the body. The API never responds with
/// an internal error, and every error is a problem document (RFC 9457).
pub fn http_request(data: &[u8]) {
    let (head, body) = match data.windows(2).position(|bytes| bytes == b"\n\n") {
        Some(end) => (&data[..end], &data[end + 2..]),
        None => (data, &[][..]),
    };
    let Ok(head) = str::from_utf8(head) else { return };
    let Some(request) = parse_head(head) else { return };
    let Some(response) = API.respond(request, body) else { return };
    let status = response.status();
    assert!(!status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE, "{status}");
    assert!(response.header("x-request-id").is_some());
    let is_encoded = response.header(header::CONTENT_ENCODING).is_some();
    if (status.is_client_error() || status.is_server_error()) && !is_encoded {
        check_problem(response);
    }
}

fn parse_head(head: &str) -> Option<Builder> {
    let mut lines = head.lines();
    let (method, target) = lines.next()?.split_once(' ')?;
    // The target of a request to a server is a path. Other forms of a URI are not requests.
    if !target.starts_with('/') {
        return None;
    }
    let request = Request::builder().method(method).uri(target);
    let headers = lines.filter_map(|line| line.split_once(": "));
    Some(headers.fold(request, |request, (name, value)| request.header(name, value)))
}

fn check_problem(response: Response) {
    let status = response.status().as_u16();
    assert_eq!(response.header(header::CONTENT_TYPE), Some("application/problem+json"));
    let body = response.into_body().into_vec().now_or_never().and_then(Result::ok).unwrap_or_default();
    let problem: Value = serde_json::from_slice(&body).expect("a problem is JSON");
    assert_eq!(problem["status"], status);
    assert!(problem["code"].is_string());
}
