//! What follows from the access policy for each principal.

use super::{
    policy::{
        Audience::{Banks, Browsers, OptionalToken, Public},
        Row,
        Scope::{All, Forbidden, NotFound, ShowsMarker},
    },
    principal::Principal::{self, Bank, GameServer, InvalidToken, Owner},
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
pub(super) fn expectation((_, audience, scope): &Row, principal: Principal) -> Expectation {
    let unauthenticated = match audience {
        Public | Browsers => false,
        OptionalToken => principal == InvalidToken,
        // Neither a role nor a session admits to the operations of banks.
        Banks => principal != Bank,
        _ => principal < GameServer,
    };
    match *scope {
        _ if unauthenticated => Expectation::Unauthenticated,
        _ if !audience.admits(principal) => Expectation::Problem(403, "role_missing"),
        All => Expectation::Admitted,
        ShowsMarker(principals) => Expectation::DoneWithMarker(principals.contains(&principal)),
        Forbidden(_) if principal == Owner => Expectation::Admitted,
        Forbidden(code) => Expectation::Problem(403, code),
        NotFound(_, found_by) if found_by.contains(&principal) => Expectation::Admitted,
        NotFound(code, _) => Expectation::Problem(404, code),
    }
}
