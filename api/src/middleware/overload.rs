//! Refuses requests on connections above the limit of connections.

use poem::{Endpoint, Request, Response, Result};

use crate::{
    http::{problem::Problem, request_data::Overloaded, route_policy},
    middleware::next::Next,
};

pub(super) async fn refuse_overloaded(next: Next, request: Request) -> Result<Response> {
    let policy = route_policy::of(request.uri().path());
    if request.data::<Overloaded>().is_some() && !policy.is_served_under_overload {
        let detail = "All connections are in use. Try again.";
        return Err(Problem::unavailable("too_many_connections", detail).into());
    }
    next.call(request).await
}
