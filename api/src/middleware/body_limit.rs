//! Reads the whole body of a request, with limits for its size, its time and the number of bodies.

use std::{io::Error as IoError, net::IpAddr, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use poem::{
    Request,
    http::{StatusCode, header},
};
use tokio::time::timeout;

use crate::{
    auth::{Credentials, caller::Identity},
    http::{
        client_address::ClientAddress,
        problem::Problem,
        request_data::RawBody,
        route_policy::{self, Authentication, RoutePolicy},
        slots::{NoSlot, Slot, Slots},
    },
    payments::providers::sender::NotificationHead,
    state::State,
};

/// A larger body needs a slot of its own.
const SMALL: usize = route_policy::DEFAULT.body_limit;

/// The time limit for a body.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time limit for a body that is discarded.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of bytes that are read and discarded. A client that still sends would see a broken connection
/// instead of the response.
const DISCARDED: usize = 4 * 1024 * 1024;

/// The slots for large bodies, and the network that takes one.
struct LargeBodies<'a> {
    slots: &'a Slots<IpAddr>,
    network: IpAddr,
}

/// The reason for which a body is not read completely.
#[derive(Debug)]
enum NotRead {
    TooLarge,
    NoSlot(NoSlot),
    Broken(IoError),
}

/// Attaches the [`RawBody`] to a request with a body. The request holds the slot of a large body until its end.
pub(super) async fn read_body(
    request: &mut Request,
    policy: &RoutePolicy,
    state: &State,
) -> Result<Option<Slot<IpAddr>>, Problem> {
    require_no_encoding(request)?;
    let body = request.take_body();
    let address = request.data::<ClientAddress>().copied();
    let (false, Some(address)) = (body.is_empty(), address) else {
        return Ok(None);
    };
    let chunks = Box::pin(body.into_bytes_stream());
    let slots = match credentials(state, policy, request) {
        Credentials::Valid => &state.large_bodies,
        // Strangers must not use the slots of others.
        Credentials::InBody => &state.unverified_large_bodies,
        Credentials::Missing => {
            // The endpoint refuses the request.
            discard(chunks).await;
            return Ok(None);
        }
    };
    if is_declared_larger(request, policy.body_limit) {
        discard(chunks).await;
        return Err(too_large(policy.body_limit));
    }
    let network = address.network();
    let receiving = state.bodies.acquire(network).map_err(no_slot)?;
    let large_bodies = LargeBodies { slots, network };
    let read = timeout(TIMEOUT, read_up_to(chunks, policy.body_limit, &large_bodies)).await;
    let read = read.map_err(|_| too_slow())?;
    let (body, large_slot) = read.map_err(|error| error.into_problem(policy.body_limit))?;
    drop(receiving);
    request.set_data(RawBody(body));
    Ok(large_slot)
}

fn require_no_encoding(request: &Request) -> Result<(), Problem> {
    let encoding = request.header(header::CONTENT_ENCODING).unwrap_or("identity");
    if encoding.eq_ignore_ascii_case("identity") {
        return Ok(());
    }
    let detail = "The body is compressed. Send it without compression.";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", detail))
}

/// The credentials in the head of the request, if its path requires them.
fn credentials(state: &State, policy: &RoutePolicy, request: &Request) -> Credentials {
    match policy.authentication {
        Authentication::None => Credentials::Valid,
        Authentication::BearerToken => match request.data::<Identity>() {
            Some(Identity::Authenticated(_)) => Credentials::Valid,
            _ => Credentials::Missing,
        },
        Authentication::ProviderSignature => {
            state.webhooks.verify_head(NotificationHead::new(request, &state.trusted_proxies))
        }
    }
}

fn is_declared_larger(request: &Request, limit: usize) -> bool {
    let declared = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    declared.is_some_and(|declared| declared > limit as u64)
}

/// Reads and drops a body, for a short time.
async fn discard(mut chunks: impl Stream<Item = Result<Bytes, IoError>> + Unpin) {
    let mut seen = 0;
    let read = async {
        while let Some(Ok(chunk)) = chunks.next().await
            && seen < DISCARDED
        {
            seen += chunk.len();
        }
    };
    // The response is the same if the time is over.
    let _ = timeout(DISCARD_TIMEOUT, read).await;
}

/// Reads a body.
async fn read_up_to<'a>(
    mut chunks: impl Stream<Item = Result<Bytes, IoError>> + Unpin,
    limit: usize,
    large_bodies: &LargeBodies<'a>,
) -> Result<(Bytes, Option<Slot<IpAddr>>), NotRead> {
    let (mut body, mut slot) = (BytesMut::new(), None);
    while let Some(chunk) = chunks.next().await.transpose().map_err(NotRead::Broken)? {
        let length = body.len() + chunk.len();
        if length > limit {
            drop((body, slot));
            discard(chunks).await;
            return Err(NotRead::TooLarge);
        }
        if length > SMALL && slot.is_none() {
            let LargeBodies { slots, network } = *large_bodies;
            slot = Some(slots.acquire(network).map_err(NotRead::NoSlot)?);
        }
        body.extend_from_slice(&chunk);
    }
    Ok((body.freeze(), slot))
}

impl NotRead {
    fn into_problem(self, limit: usize) -> Problem {
        match self {
            Self::TooLarge => too_large(limit),
            Self::NoSlot(reason) => no_slot(reason),
            Self::Broken(error) => Problem::invalid("", format!("The body cannot be read: {error}")),
        }
    }
}

fn too_large(limit: usize) -> Problem {
    let detail = format!("The body is larger than {limit} bytes.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
}

fn too_slow() -> Problem {
    let detail = format!("The body did not arrive within {} seconds.", TIMEOUT.as_secs());
    Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail)
}

fn no_slot(reason: NoSlot) -> Problem {
    match reason {
        NoSlot::OfKey => {
            let detail = "This address sends too many bodies at the same time. Try again.";
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail);
            Problem { retry_after: Some(1), ..problem }
        }
        NoSlot::AtAll => {
            Problem::unavailable("busy", "The server reads too many bodies at the moment. Try again.")
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    async fn read_bytes(length: usize, slots: &Slots<IpAddr>) -> Result<Option<Slot<IpAddr>>, NotRead> {
        let large_bodies = LargeBodies { slots, network: IpAddr::from([127, 0, 0, 1]) };
        let chunks = stream::iter([Ok(Bytes::from(vec![b' '; length]))]);
        let (body, slot) = read_up_to(chunks, 2 * SMALL, &large_bodies).await?;
        assert_eq!(body.len(), length);
        Ok(slot)
    }

    #[tokio::test]
    async fn large_body_needs_a_slot() {
        let slots = Slots::new(1, 1);
        let first = read_bytes(SMALL + 1, &slots).await.unwrap();
        assert!(first.is_some());
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, Err(NotRead::NoSlot(_))));
        assert!(matches!(read_bytes(SMALL, &slots).await, Ok(None)));
        assert!(matches!(read_bytes(2 * SMALL + 1, &slots).await, Err(NotRead::TooLarge)));
        drop(first);
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, Ok(Some(_))));
    }
}
