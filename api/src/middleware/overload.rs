//! Refuses requests on connections for which there was no room.

use poem::{Endpoint, Request, Response, Result};

use crate::{
    http::{health, problem::Problem, request_data::Overloaded},
    middleware::Next,
};

/// Probes are answered: a process that is busy is not to be restarted.
pub(super) async fn refuse(next: Next, request: Request) -> Result<Response> {
    if request.data::<Overloaded>().is_some() && !health::PATHS.contains(&request.uri().path()) {
        let detail = "All connections are in use; try again.";
        return Err(Problem::unavailable("too_many_connections", detail).into());
    }
    next.call(request).await
}
