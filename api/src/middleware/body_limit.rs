//! Reads the whole body before anything else is done: bounded in size and in time.

use crate::{
    auth::{Identity, unauthorized},
    http::{problem::Problem, request_data::RawBody},
    middleware::Next,
    payments::WEBHOOKS,
    state::State,
};
use std::{io::Error as IoError, sync::Arc, time::Duration};

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

/// The most bytes of a body.
const LIMIT: usize = 64 * 1024;

/// Places for bodies beyond that: so many may be in hand at one time.
#[derive(Clone)]
pub(crate) struct LargeBodySlots(Arc<Semaphore>);

impl Default for LargeBodySlots {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(64)))
    }
}

/// Posts are long, game servers tell of many characters at once, banks of many payments. Nobody else needs more.
fn limit(path: &str) -> usize {
    match path {
        "/news/create" | "/news/edit" => 1024 * 1024,
        "/game/characters" => 512 * 1024,
        path if WEBHOOKS.contains(&path) => 256 * 1024,
        _ => LIMIT,
    }
}

/// Somebody who would be let in nowhere that takes large bodies.
fn is_stranger(request: &Request) -> bool {
    let known = matches!(request.data::<Identity>(), Some(Identity::Known(_)));
    !known && !WEBHOOKS.contains(&request.uri().path())
}

const WITHIN: Duration = Duration::from_secs(10);

/// For a body that says of itself that it is too large.
const HOPELESS_WITHIN: Duration = Duration::from_secs(2);

/// Bytes read beyond the limit.
const THROWN_AWAY: usize = 4 * 1024 * 1024;

/// What became of a body.
enum Read<'a> {
    /// The place of a large one is held until it is done with.
    Whole(Bytes, Option<SemaphorePermit<'a>>),
    TooLarge,
    /// Too many large ones are in hand.
    NoPlace,
}

pub(super) async fn read_body(next: Next, mut request: Request) -> Result<Response> {
    let most = limit(request.uri().path());
    let limit = if is_stranger(&request) { LIMIT } else { most };
    let encoding = request.header(header::CONTENT_ENCODING).unwrap_or("identity");
    if !encoding.eq_ignore_ascii_case("identity") {
        let detail = "Send the body as it is, not compressed.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", detail).into());
    }
    let declared = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    let hopeless = declared.is_some_and(|declared| declared > limit as u64);
    let within = if hopeless { HOPELESS_WITHIN } else { WITHIN };
    let places = request.data::<State>().map(|state| state.large_bodies.clone()).unwrap_or_default();
    let (body, _place) = match timeout(within, read(request.take_body(), limit, &places.0)).await {
        Ok(Ok(Read::Whole(body, place))) => (body, place),
        Ok(Ok(Read::NoPlace)) => {
            let detail = "Too many large bodies are being read at the moment; try again.";
            return Err(Problem::unavailable("busy", detail).into());
        }
        Ok(Err(error)) => {
            return Err(Problem::invalid("", format!("The body cannot be read: {error}")).into());
        }
        Err(_) if !hopeless => {
            let detail = format!("The body did not come within {} seconds.", WITHIN.as_secs());
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail).into());
        }
        Ok(Ok(Read::TooLarge)) | Err(_) if limit < most => return Err(unauthorized().into()),
        Ok(Ok(Read::TooLarge)) | Err(_) => {
            let detail = format!("The body is larger than {limit} bytes.");
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail).into());
        }
    };
    request.set_data(RawBody(body));
    next.call(request).await
}

/// Of a body that is too large, some more is read and thrown away: a client that is still sending would find its
/// connection broken instead of the answer.
async fn read(body: Body, limit: usize, places: &Semaphore) -> Result<Read<'_>, IoError> {
    let mut chunks = Box::pin(body.into_bytes_stream());
    let mut kept = BytesMut::new();
    let mut place = None;
    let mut seen = 0;
    while let Some(chunk) = chunks.next().await.transpose()? {
        seen += chunk.len();
        if seen > limit + THROWN_AWAY {
            break;
        }
        if seen > limit {
            kept.clear();
            continue;
        }
        if seen > LIMIT && place.is_none() {
            let Ok(taken) = places.try_acquire() else {
                return Ok(Read::NoPlace);
            };
            place = Some(taken);
        }
        kept.extend_from_slice(&chunk);
    }
    Ok(if seen <= limit { Read::Whole(kept.freeze(), place) } else { Read::TooLarge })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_of(length: usize, places: &Semaphore) -> Read<'_> {
        read(Body::from(vec![b' '; length]), 2 * LIMIT, places).await.unwrap()
    }

    #[tokio::test]
    async fn large_bodies_need_a_place() {
        let places = Semaphore::new(1);
        let first = read_of(LIMIT + 1, &places).await;
        assert!(matches!(&first, Read::Whole(body, Some(_)) if body.len() == LIMIT + 1));
        assert!(matches!(read_of(LIMIT + 1, &places).await, Read::NoPlace));
        assert!(matches!(read_of(LIMIT, &places).await, Read::Whole(_, None)));
        assert!(matches!(read_of(2 * LIMIT + 1, &places).await, Read::TooLarge));
        drop(first);
        assert!(matches!(read_of(LIMIT + 1, &places).await, Read::Whole(_, Some(_))));
    }
}
