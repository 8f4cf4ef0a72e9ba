//! The chain of middleware.

use std::{future::Future, sync::Arc};

use poem::{EndpointExt, Request, Response, Result, endpoint::BoxEndpoint};

/// The rest of the chain. It is boxed, because nested generic types take minutes to compile.
pub(super) type Next = Arc<BoxEndpoint<'static, Response>>;

/// Adds a middleware around the chain.
pub(super) fn add<F, R>(
    routes: BoxEndpoint<'static, Response>,
    middleware: F,
) -> BoxEndpoint<'static, Response>
where
    F: Fn(Next, Request) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response>> + Send + 'static,
{
    routes.around(middleware).boxed()
}
