//! The behaviour that all routes share.

mod access_log;
mod body_limit;
mod client_address;
mod compression;
mod conditional;
mod cors;
mod errors;
mod host;
mod methods;
mod overload;
mod rate_limit;
mod request_id;
mod security_headers;

use std::{future::Future, sync::Arc};

use poem::{Endpoint, EndpointExt, Request, Response, Result, endpoint::BoxEndpoint};

pub(crate) use body_limit::LargeBodySlots;
pub(crate) use rate_limit::RateLimits;

use crate::{auth, state::State};

/// The rest of the chain. It is boxed, because nested generic types take minutes to compile.
pub(crate) type Next = Arc<BoxEndpoint<'static, Response>>;

/// Wraps the routes in all middleware, the innermost first.
pub(crate) fn wrap(routes: impl Endpoint + 'static, state: &State) -> impl Endpoint + 'static {
    let routes = add(routes.map_to_response().boxed(), body_limit::read_body);
    let routes = add(routes, rate_limit::limit);
    let routes = add(routes, auth::identify);
    let routes = add(routes, host::require);
    let routes = add(routes, overload::refuse);
    let routes = add(routes, errors::catch);
    let routes = add(routes, methods::reduce);
    let routes = add(routes, conditional::answer_unchanged);
    let routes = add(routes, compression::compress);
    let routes = add(routes, cors::share);
    let routes = add(routes, security_headers::add);
    let routes = add(routes, client_address::find);
    let routes = add(routes, access_log::observe);
    add(routes, request_id::assign).data(state.clone())
}

fn add<F, R>(routes: BoxEndpoint<'static, Response>, middleware: F) -> BoxEndpoint<'static, Response>
where
    F: Fn(Next, Request) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response>> + Send + 'static,
{
    routes.around(middleware).boxed()
}
