//! The body of an answer, which knows until when it is being sent.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use hyper::body::{Body, Frame, SizeHint};

use crate::server::connections::RequestGuard;

/// Until this is dropped its connection has something in hand.
pub(super) struct TrackedBody<B> {
    body: B,
    _working: RequestGuard,
}

impl<B> TrackedBody<B> {
    pub(super) fn new(body: B, working: RequestGuard) -> Self {
        Self { body, _working: working }
    }
}

impl<B: Body + Unpin> Body for TrackedBody<B> {
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
