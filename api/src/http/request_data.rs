//! Data that the server and the middleware attach to a request.

use bytes::Bytes;
use poem::Request;

/// The body of a request, read completely.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawBody(pub Bytes);

impl RawBody {
    /// The body that the middleware has read. It is empty if the request has none.
    pub(crate) fn of(request: &Request) -> Self {
        request.data::<Self>().cloned().unwrap_or_default()
    }
}

/// Marks a request on a connection above the limit of connections.
#[derive(Clone, Copy)]
pub(crate) struct Overloaded;

tokio::task_local! {
    /// The `X-Request-Id` of the request that the current task handles.
    pub(crate) static REQUEST_ID: String;
}

/// The request id of the current task. It is empty outside of a request.
pub(crate) fn current_request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_default()
}
