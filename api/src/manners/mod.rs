//! How every answer behaves, whatever it is about.

pub(crate) mod address;
mod body_limit;
mod compress;
mod conditional;
mod cors;
mod crowd;
mod errors;
mod host;
mod methods;
mod rate_limit;
pub(crate) mod request_id;
mod security;
mod trace;

use std::{future::Future, sync::Arc};

use poem::{Endpoint, EndpointExt, Request, Response, Result, endpoint::BoxEndpoint};

pub(crate) use body_limit::{LargeBodies, RawBody};
pub(crate) use rate_limit::RateLimits;

use crate::{State, auth};

/// What comes after a manner. Boxed, because layer upon layer of generic types takes the compiler minutes.
pub(crate) type Next = Arc<BoxEndpoint<'static, Response>>;

/// Puts the manners around the routes, the innermost first.
pub(crate) fn around(routes: impl Endpoint + 'static, state: &State) -> impl Endpoint + 'static {
    let routes = add(routes.map_to_response().boxed(), body_limit::read_body);
    let routes = add(routes, rate_limit::limit);
    let routes = add(routes, auth::identify);
    let routes = add(routes, host::require);
    let routes = add(routes, crowd::refuse);
    let routes = add(routes, errors::catch);
    let routes = add(routes, methods::reduce);
    let routes = add(routes, conditional::answer_unchanged);
    let routes = add(routes, compress::compress);
    let routes = add(routes, cors::share);
    let routes = add(routes, security::harden);
    let routes = add(routes, address::find);
    let routes = add(routes, trace::observe);
    add(routes, request_id::assign).data(state.clone())
}

fn add<F, R>(routes: BoxEndpoint<'static, Response>, manner: F) -> BoxEndpoint<'static, Response>
where
    F: Fn(Next, Request) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response>> + Send + 'static,
{
    routes.around(manner).boxed()
}
