//! Refuses parameters in the query that the operation does not have.

use guildhall_common::invalid_value::InvalidValue;
use poem::Request;
use poem_openapi::registry::{MetaOperation, MetaParamIn};

use crate::{
    auth::caller::Identity,
    http::{
        parameters::QueryPairs,
        problem::Problem,
        route_policy::{self, Documentation},
    },
};

/// The parameters that an operation has in the query.
pub(super) struct KnownParameters {
    names: Vec<String>,
    /// A request without a valid token gets 401, whatever else is wrong.
    needs_caller: bool,
}

impl KnownParameters {
    /// None if others add parameters of their own to the address: banks, and the programs that load pictures, feeds and pages.
    pub(super) fn of(path: &str, operation: &MetaOperation) -> Option<Self> {
        if route_policy::of(path).documentation == Documentation::Callback || has_shared_address(operation) {
            return None;
        }
        let parameters = operation.params.iter().filter(|parameter| parameter.in_type == MetaParamIn::Query);
        let is_token = |scheme: &&str| ["bearerAuth", "serviceToken"].contains(scheme);
        let mut ways = operation.security.iter();
        let needs_caller = !operation.security.is_empty() && ways.all(|way| way.keys().any(is_token));
        Some(Self { names: parameters.map(|parameter| parameter.name.clone()).collect(), needs_caller })
    }

    /// # Errors
    /// 400 if the query has another parameter.
    pub(super) fn check(&self, request: &Request, QueryPairs(pairs): &QueryPairs) -> Result<(), Problem> {
        if self.needs_caller && request.data::<Identity>().is_none() {
            return Ok(());
        }
        match pairs.iter().find(|(name, _)| !self.names.contains(name)) {
            Some((name, _)) => {
                Err(Problem::invalid(name.as_str(), InvalidValue::unknown_parameter(&self.names)))
            }
            None => Ok(()),
        }
    }
}

/// Whether people pass the address on, so that programs load it: a picture, a feed or a page.
fn has_shared_address(operation: &MetaOperation) -> bool {
    const SHARED: [&str; 3] = ["image/", "text/html", "application/atom+xml"];
    let mut contents = operation.responses.responses.iter().flat_map(|response| &response.content);
    contents.any(|content| SHARED.iter().any(|prefix| content.content_type.starts_with(prefix)))
}
