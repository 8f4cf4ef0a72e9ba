//! Refuses requests on connections for which there was no room.

use poem::{Endpoint, Request, Response, Result};

use super::Next;
use crate::{health, problem::Problem, serve::Crowded};

/// Probes are answered: a process that is busy is not to be restarted.
pub(super) async fn refuse(next: Next, request: Request) -> Result<Response> {
    if request.data::<Crowded>().is_some() && !health::PATHS.contains(&request.uri().path()) {
        let detail = "All connections are in use; try again.";
        return Err(Problem::unavailable("too_many_connections", detail).into());
    }
    next.call(request).await
}
