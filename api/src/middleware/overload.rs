//! Refuses requests on connections above the limit of connections.

use poem::Request;

use crate::http::{problem::Problem, request_data::Overloaded};

pub(super) fn refuse_overloaded(request: &Request) -> Result<(), Problem> {
    if request.data::<Overloaded>().is_some() {
        let detail = "All connections are in use. Try again.";
        return Err(Problem::unavailable("too_many_connections", detail));
    }
    Ok(())
}
