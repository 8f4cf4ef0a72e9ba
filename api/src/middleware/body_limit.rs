//! Reads the whole body of a request, with limits for its size, its time and the number of bodies.

use std::{io::Error as IoError, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use guildhall_common::{
    contract::command::Actor,
    invalid_value::{InvalidValue, ValueFormat},
};
use poem::{
    Request,
    http::{StatusCode, header},
};
use tokio::time::timeout;

use crate::{
    auth::caller::Identity,
    http::{
        body_slots::{BodySender, BodySlot, BodySlots},
        client_address::ClientAddress,
        problem::Problem,
        request_data::RawBody,
        route_policy::{self, Authentication, RoutePolicy},
        slots::NoSlot,
    },
    providers::sender::{NotificationHead, SenderProof},
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
) -> Result<Option<BodySlot>, Problem> {
    let body = request.take_body();
    let address = request.data::<ClientAddress>().copied();
    let (false, Some(address)) = (body.is_empty(), address) else {
        return Ok(None);
    };
    let chunks = Box::pin(body.into_bytes_stream());
    if let Err(problem) = require_no_encoding(request) {
        refuse(request, chunks).await;
        return Err(problem);
    }
    let Some(sender) = sender(state, policy, request, address) else {
        // The endpoint refuses the request.
        refuse(request, chunks).await;
        return Ok(None);
    };
    if is_declared_larger(request, policy.body_limit) {
        refuse(request, chunks).await;
        return Err(too_large(policy.body_limit));
    }
    let receiving = match state.bodies.receive(sender) {
        Ok(slot) => slot,
        Err(reason) => {
            refuse(request, chunks).await;
            return Err(no_slot(reason));
        }
    };
    let read = timeout(TIMEOUT, read_up_to(chunks, policy.body_limit, &state.bodies, sender)).await;
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

/// The sender of the body. None: the endpoint will refuse the request, because its head has no valid credentials.
fn sender(
    state: &State,
    policy: &RoutePolicy,
    request: &Request,
    address: ClientAddress,
) -> Option<BodySender> {
    let network = address.network();
    match policy.authentication {
        Authentication::None => Some(BodySender::Stranger(network)),
        Authentication::BearerToken => match request.data::<Identity>()? {
            Identity::Authenticated(caller) => Some(match caller.actor {
                Actor::Account(account_id) => BodySender::Account(account_id),
                Actor::Service(_) => BodySender::Server(network),
                Actor::Anonymous => BodySender::Stranger(network),
            }),
            Identity::InvalidToken => None,
        },
        Authentication::ProviderSignature => {
            match state.webhooks.verify_head(NotificationHead::new(request, &state.trusted_proxies)) {
                SenderProof::Valid => Some(BodySender::Server(network)),
                SenderProof::InBody => Some(BodySender::Stranger(network)),
                SenderProof::Missing => None,
            }
        }
    }
}

fn is_declared_larger(request: &Request, limit: usize) -> bool {
    let declared = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    declared.is_some_and(|declared| declared > limit as u64)
}

/// Reads and drops the body of a request that is refused, unless its client waits for the response first.
async fn refuse(request: &Request, chunks: impl Stream<Item = Result<Bytes, IoError>> + Unpin) {
    if request.header(header::EXPECT).is_none() {
        discard(chunks).await;
    }
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
async fn read_up_to(
    mut chunks: impl Stream<Item = Result<Bytes, IoError>> + Unpin,
    limit: usize,
    slots: &BodySlots,
    sender: BodySender,
) -> Result<(Bytes, Option<BodySlot>), NotRead> {
    let (mut body, mut slot) = (BytesMut::new(), None);
    while let Some(chunk) = chunks.next().await.transpose().map_err(NotRead::Broken)? {
        let length = body.len() + chunk.len();
        if length > limit {
            drop((body, slot));
            discard(chunks).await;
            return Err(NotRead::TooLarge);
        }
        if length > SMALL && slot.is_none() {
            match slots.hold_large(sender) {
                Ok(large) => slot = Some(large),
                Err(reason) => {
                    drop(body);
                    discard(chunks).await;
                    return Err(NotRead::NoSlot(reason));
                }
            }
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
            Self::Broken(error) => {
                let detail = format!("The body cannot be read: {error}");
                Problem::invalid("", InvalidValue::format(ValueFormat::Json, detail))
            }
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

    async fn read_bytes(length: usize, slots: &BodySlots) -> Result<Option<BodySlot>, NotRead> {
        let chunks = stream::iter([Ok(Bytes::from(vec![b' '; length]))]);
        let sender = BodySender::Stranger([127, 0, 0, 1].into());
        let (body, slot) = read_up_to(chunks, 2 * SMALL, slots, sender).await?;
        assert_eq!(body.len(), length);
        Ok(slot)
    }

    #[tokio::test]
    async fn large_body_needs_a_slot() {
        let slots = BodySlots::new(100, 100);
        let held =
            [read_bytes(SMALL + 1, &slots).await.unwrap(), read_bytes(SMALL + 1, &slots).await.unwrap()];
        assert!(held.iter().all(Option::is_some));
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, Err(NotRead::NoSlot(_))));
        assert!(matches!(read_bytes(SMALL, &slots).await, Ok(None)));
        assert!(matches!(read_bytes(2 * SMALL + 1, &slots).await, Err(NotRead::TooLarge)));
        drop(held);
        assert!(matches!(read_bytes(SMALL + 1, &slots).await, Ok(Some(_))));
    }
}
