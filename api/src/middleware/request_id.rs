//! The header `X-Request-Id`. A request without a valid id gets a new one. The response and all log lines have it.

use poem::{Endpoint, IntoResponse, Request, Response, Result, http::HeaderValue};
use uuid::Uuid;

use crate::{http::request_data::REQUEST_ID, middleware::next::Next};

const HEADER: &str = "X-Request-Id";

pub(super) async fn assign_id(next: Next, request: Request) -> Result<Response> {
    let id = request
        .header(HEADER)
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()))
        .map_or_else(|| Uuid::now_v7().to_string(), ToOwned::to_owned);
    let value = HeaderValue::from_str(&id);
    REQUEST_ID
        .scope(id, async {
            let mut response = next
                .call(request)
                .await
                .map_or_else(|error| error.into_response(), IntoResponse::into_response);
            if let Ok(value) = value {
                response.headers_mut().insert(HEADER, value);
            }
            Ok(response)
        })
        .await
}
