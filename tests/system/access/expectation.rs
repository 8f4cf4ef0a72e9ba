//! What follows from the access policy for each principal.

use super::{
    policy::{
        Audience::{Banks, Browsers, OptionalToken, Public},
        Row,
        Scope::{All, Forbidden, NotFound, ShowsMarker},
    },
    principal::{
        ALL_PRINCIPALS,
        Principal::{self, Bank, GameServer, InvalidToken, Owner},
    },
    strict_requests::OPEN_ADDRESSES,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expectation {
    /// Status 401.
    Unauthenticated,
    Problem(u16, &'static str),
    /// The principal is admitted: a success, or one of the other documented refusals.
    Admitted,
    /// A success, with the marker in the response or without it.
    DoneWithMarker(bool),
}

/// The response that the policy demands.
pub(super) fn expectation((id, audience, scope): &Row, principal: Principal) -> Expectation {
    let unauthenticated = match audience {
        Public | Browsers => false,
        OptionalToken => principal == InvalidToken,
        // Neither a role nor a session admits to the operations of banks.
        Banks => principal != Bank,
        _ => principal < GameServer,
    };
    match *scope {
        _ if unauthenticated => Expectation::Unauthenticated,
        // The secret of the webhook is an unknown parameter elsewhere.
        _ if principal == Bank && !matches!(audience, Banks) && !OPEN_ADDRESSES.contains(&id.as_str()) => {
            Expectation::Problem(400, "invalid_request")
        }
        _ if !audience.admits(principal) => Expectation::Problem(403, "role_missing"),
        All => Expectation::Admitted,
        ShowsMarker(principals) => Expectation::DoneWithMarker(principals.contains(&principal)),
        Forbidden(_) if principal == Owner => Expectation::Admitted,
        Forbidden(code) => Expectation::Problem(403, code),
        NotFound(_, found_by) if found_by.contains(&principal) => Expectation::Admitted,
        NotFound(code, _) => Expectation::Problem(404, code),
    }
}

/// A principal that passes the authentication of the operation, the owner if it does.
pub(super) fn admitted((_, audience, _): &Row) -> Principal {
    let is_admitted = |principal: &Principal| audience.admits(*principal);
    ALL_PRINCIPALS.into_iter().rev().find(is_admitted).expect("each operation admits a principal")
}
