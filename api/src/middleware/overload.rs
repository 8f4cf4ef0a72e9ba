//! Refuses requests on connections above the limit of connections.

use poem::Request;

use crate::http::{problem::Problem, request_data::Overloaded, route_policy::RoutePolicy};

pub(super) fn refuse_overloaded(request: &Request, policy: &RoutePolicy) -> Result<(), Problem> {
    if request.data::<Overloaded>().is_some() && !policy.is_served_under_overload {
        let detail = "All connections are in use. Try again.";
        return Err(Problem::unavailable("too_many_connections", detail));
    }
    Ok(())
}
