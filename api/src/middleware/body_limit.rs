//! Reads the whole body of a request, with limits for its size and its time.

use std::{io::Error as IoError, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use poem::{
    Body, Endpoint, Request, Response, Result,
    http::{StatusCode, header},
};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use crate::{
    auth::{caller::Identity, unauthorized},
    http::{
        problem::Problem,
        request_data::RawBody,
        route_policy::{self, Authentication, RoutePolicy},
    },
    middleware::next::Next,
    state::State,
};

/// A larger body needs a slot.
const SMALL: usize = route_policy::DEFAULT.body_limit;

/// The time limit for a body.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time limit for a body whose `Content-Length` is too large.
const TOO_LARGE_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of bytes beyond the limit that are read and discarded.
const DISCARDED: usize = 4 * 1024 * 1024;

/// The result of reading a body.
enum ReadBody<'a> {
    /// The whole body, and the slot of a large body. The request holds the slot until its end.
    Complete(Bytes, Option<SemaphorePermit<'a>>),
    TooLarge,
    /// All slots for large bodies are in use.
    NoSlot,
}

/// The limits for the body of one request.
struct Limits {
    /// The size that this caller may send.
    size: usize,
    /// The size that an authenticated caller may send.
    size_if_authenticated: usize,
    /// The header `Content-Length` is above the limit.
    is_declared_too_large: bool,
}

pub(super) async fn read_body(next: Next, mut request: Request) -> Result<Response> {
    require_no_encoding(&request)?;
    let limits = limits(&request);
    let slots = request.data::<State>().map(|state| state.large_bodies.clone()).unwrap_or_default();
    let (body, _slot) = read_with_limits(request.take_body(), &limits, &slots.0).await?;
    request.set_data(RawBody(body));
    next.call(request).await
}

fn require_no_encoding(request: &Request) -> Result<(), Problem> {
    let encoding = request.header(header::CONTENT_ENCODING).unwrap_or("identity");
    if encoding.eq_ignore_ascii_case("identity") {
        return Ok(());
    }
    let detail = "The body is compressed. Send it without compression.";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", detail))
}

fn limits(request: &Request) -> Limits {
    let policy = route_policy::of(request.uri().path());
    let size = if may_send_large_body(request, policy) { policy.body_limit } else { SMALL };
    let declared = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    let is_declared_too_large = declared.is_some_and(|declared| declared > size as u64);
    Limits { size, size_if_authenticated: policy.body_limit, is_declared_too_large }
}

/// A caller without a token gets no large buffer: each path with large bodies requires a role. The endpoint
/// verifies a provider's signature only after it has the body.
fn may_send_large_body(request: &Request, policy: &RoutePolicy) -> bool {
    policy.authentication == Authentication::ProviderSignature
        || matches!(request.data::<Identity>(), Some(Identity::Authenticated(_)))
}

async fn read_with_limits<'a>(
    body: Body,
    limits: &Limits,
    slots: &'a Semaphore,
) -> Result<(Bytes, Option<SemaphorePermit<'a>>), Problem> {
    let limit = if limits.is_declared_too_large { TOO_LARGE_TIMEOUT } else { TIMEOUT };
    match timeout(limit, read_up_to(body, limits.size, slots)).await {
        Ok(Ok(ReadBody::Complete(body, slot))) => Ok((body, slot)),
        Ok(Ok(ReadBody::NoSlot)) => Err(Problem::unavailable(
            "busy",
            "The server reads too many large bodies at the moment. Try again.",
        )),
        Ok(Err(error)) => Err(Problem::invalid("", format!("The body cannot be read: {error}"))),
        Err(_) if !limits.is_declared_too_large => {
            let detail = format!("The body did not arrive within {} seconds.", TIMEOUT.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail))
        }
        Ok(Ok(ReadBody::TooLarge)) | Err(_) => Err(limits.too_large()),
    }
}

impl Limits {
    fn too_large(&self) -> Problem {
        if self.size < self.size_if_authenticated {
            return unauthorized();
        }
        let detail = format!("The body is larger than {} bytes.", self.size);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
    }
}

/// Reads the body. Of a body that is too large, some more is read and discarded: a client that still sends would
/// see a broken connection instead of the response.
async fn read_up_to(body: Body, limit: usize, slots: &Semaphore) -> Result<ReadBody<'_>, IoError> {
    let mut chunks = Box::pin(body.into_bytes_stream());
    let mut kept = BytesMut::new();
    let mut slot = None;
    let mut seen = 0;
    while let Some(chunk) = chunks.next().await.transpose()? {
        seen += chunk.len();
        if seen > limit + DISCARDED {
            break;
        }
        if seen > limit {
            kept.clear();
            continue;
        }
        if seen > SMALL && slot.is_none() {
            let Ok(permit) = slots.try_acquire() else {
                return Ok(ReadBody::NoSlot);
            };
            slot = Some(permit);
        }
        kept.extend_from_slice(&chunk);
    }
    Ok(if seen <= limit { ReadBody::Complete(kept.freeze(), slot) } else { ReadBody::TooLarge })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_bytes(length: usize, slots: &Semaphore) -> ReadBody<'_> {
        read_up_to(Body::from(vec![b' '; length]), 2 * SMALL, slots).await.unwrap()
    }

    #[tokio::test]
    async fn large_body_needs_a_slot() {
        let slots = Semaphore::new(1);
        let first = read_bytes(SMALL + 1, &slots).await;
        assert!(matches!(&first, ReadBody::Complete(body, Some(_)) if body.len() == SMALL + 1));
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, ReadBody::NoSlot));
        assert!(matches!(read_bytes(SMALL, &slots).await, ReadBody::Complete(_, None)));
        assert!(matches!(read_bytes(2 * SMALL + 1, &slots).await, ReadBody::TooLarge));
        drop(first);
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, ReadBody::Complete(_, Some(_))));
    }
}
