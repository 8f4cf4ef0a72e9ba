//! What happens to each request before and after its endpoint. One file per step. This file has their order.
//!
//! The steps are plain functions and not a chain of endpoints: each link of a chain would copy the request and allocate memory.

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
mod overload;
mod rate_limit;
mod request_id;
mod security_headers;

use std::sync::Arc;

use poem::{Endpoint, Request, Response, Result, Route};
use tracing::Instrument;

use self::{access_log::LoggedRequest, conditional::KnownTags, cors::CrossOrigin};
use crate::{
    http::{
        gzip,
        request_data::REQUEST_ID,
        request_span::request_span,
        route_policy::{self, RoutePolicy},
    },
    state::State,
};

/// Adds all steps to the routes.
pub(crate) fn wrap(routes: Route, state: State) -> impl Endpoint<Output = Response> + 'static {
    Middleware { routes, state: Arc::new(state) }
}

struct Middleware {
    routes: Route,
    state: Arc<State>,
}

impl Endpoint for Middleware {
    type Output = Response;

    /// Gives the request an id and logs it.
    async fn call(&self, request: Request) -> Result<Response> {
        let id = request_id::of(&request);
        let header = request_id::header(&id);
        let span = request_span(&id);
        let logged = LoggedRequest::new(&request);
        let respond = async {
            // A future is copied when another one takes it, so the large ones are boxed.
            let response = Box::pin(self.respond(request)).await;
            logged.log(&response);
            response
        };
        let mut response = REQUEST_ID.scope(id, respond.instrument(span)).await;
        request_id::add_header(&mut response, header);
        Ok(response)
    }
}

impl Middleware {
    /// Converts each error into a response, and completes the headers.
    async fn respond(&self, mut request: Request) -> Response {
        request.set_data(self.state.clone());
        client_address::attach(&mut request, &self.state);
        let policy = route_policy::of(request.uri().path());
        let cross_origin = CrossOrigin::of(&request, &self.state);
        let known_tags = KnownTags::of(&request);
        let accepts_gzip = gzip::is_accepted(&request);
        let mut response = if cross_origin.is_preflight {
            cors::preflight()
        } else {
            methods::map_method(&mut request);
            let limit = errors::time_limit(&request, policy, self.state.commands.wait);
            let mut response = errors::catch(limit, Box::pin(self.handle(request, policy))).await;
            let long_text = compression::prepare(accepts_gzip, &mut response).await;
            if !known_tags.apply(&mut response) {
                compression::compress(long_text, &mut response);
            }
            response
        };
        cross_origin.add_headers(&mut response);
        security_headers::add(policy, &mut response);
        response
    }

    /// Refuses the request, or passes it with its caller and its body to the endpoint.
    async fn handle(&self, mut request: Request, policy: &'static RoutePolicy) -> Result<Response> {
        overload::refuse_overloaded(&request)?;
        host::require_one_host(&request)?;
        rate_limit::count_address(&request, policy, &self.state)?;
        identify::attach_caller(&mut request, &self.state).await?;
        let quota = rate_limit::count_request(&request, policy, &self.state)?;
        let result = match body_limit::read_body(&mut request, policy, &self.state).await {
            Ok(_slot) => self.routes.call(request).await,
            Err(problem) => Err(problem.into()),
        };
        let Some(quota) = quota else { return result };
        let mut response = result.unwrap_or_else(errors::error_response);
        rate_limit::add_headers(&mut response, &quota);
        Ok(response)
    }
}
