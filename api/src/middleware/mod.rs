//! The behaviour that all routes share. One file per middleware.

mod access_log;
mod body_limit;
mod client_address;
mod compression;
mod conditional;
mod cors;
mod errors;
mod host;
mod identify;
mod methods;
mod next;
mod overload;
mod rate_limit;
mod request_id;
mod security_headers;

use poem::{Endpoint, EndpointExt, Response, endpoint::BoxEndpoint};

use crate::state::State;

/// Wraps the routes in all middleware. The first one of the list is the innermost.
pub(crate) fn wrap(routes: impl Endpoint + 'static, state: &State) -> impl Endpoint + 'static {
    let routes: BoxEndpoint<'static, Response> = routes.map_to_response().boxed();
    let routes = next::add(routes, body_limit::read_body);
    let routes = next::add(routes, rate_limit::count_request);
    let routes = next::add(routes, identify::identify_caller);
    let routes = next::add(routes, rate_limit::count_address);
    let routes = next::add(routes, host::require_one_host);
    let routes = next::add(routes, overload::refuse_overloaded);
    let routes = next::add(routes, errors::respond_with_problem);
    let routes = next::add(routes, methods::map_methods);
    let routes = next::add(routes, conditional::respond_not_modified);
    let routes = next::add(routes, compression::compress);
    let routes = next::add(routes, cors::add_headers);
    let routes = next::add(routes, security_headers::add_headers);
    let routes = next::add(routes, client_address::find_address);
    let routes = next::add(routes, access_log::log_request);
    next::add(routes, request_id::assign_id).data(state.clone())
}
