//! The header `X-Request-Id`. A request without a valid id gets a new one. The response and all log lines have it.

use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue},
};
use uuid::Uuid;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id that the client has chosen, or a new one.
pub(super) fn of(request: &Request) -> String {
    request
        .header(HEADER)
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()))
        .map_or_else(|| Uuid::now_v7().to_string(), ToOwned::to_owned)
}

pub(super) fn header(id: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(id).ok()
}

pub(super) fn add_header(response: &mut Response, id: Option<HeaderValue>) {
    if let Some(id) = id {
        response.headers_mut().insert(HEADER, id);
    }
}
