//! The body of a response. It holds the request guard until hyper has taken its last part. The client may still have to read it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use hyper::body::{Body, Frame, SizeHint};

use crate::server::connections::RequestGuard;

/// While this exists, its connection works on a request.
pub(super) struct TrackedResponseBody<B> {
    body: B,
    _request: RequestGuard,
}

impl<B> TrackedResponseBody<B> {
    pub(super) fn new(body: B, request: RequestGuard) -> Self {
        Self { body, _request: request }
    }
}

impl<B: Body + Unpin> Body for TrackedResponseBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
