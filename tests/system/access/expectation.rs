//! What follows from the access policy for each principal.

use super::{
    policy::{
        Audience::{Banks, Browsers, OptionalToken, Public},
        REFUSED_BY_RULE, Row,
        Scope::{All, Forbidden, NotFound, ShowsMarker},
    },
    principal::Principal::{self, Bank, GameServer, InvalidToken, Owner},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expectation {
    /// Status 401.
    Unauthenticated,
    Problem(u16, &'static str),
    /// The principal is admitted, and a rule refuses the command.
    RefusedByRule(u16, &'static str),
    /// A success.
    Done,
    /// A success, with the marker in the response or without it.
    DoneWithMarker(bool),
}

/// The response that the policy demands.
pub(super) fn expectation((id, audience, scope): Row, principal: Principal) -> Expectation {
    let unauthenticated = match audience {
        Public | Browsers => false,
        OptionalToken => principal == InvalidToken,
        // Neither a role nor a session admits to the operations of banks.
        Banks => principal != Bank,
        _ => principal < GameServer,
    };
    let refused_by_rule = REFUSED_BY_RULE
        .into_iter()
        .find(|(operation, principals, ..)| *operation == id && principals.contains(&principal));
    match scope {
        _ if unauthenticated => Expectation::Unauthenticated,
        _ if !audience.admits(principal) => Expectation::Problem(403, "role_missing"),
        All => refused_by_rule
            .map_or(Expectation::Done, |(.., status, code)| Expectation::RefusedByRule(status, code)),
        ShowsMarker(principals) => Expectation::DoneWithMarker(principals.contains(&principal)),
        Forbidden(_) if principal == Owner => Expectation::Done,
        Forbidden(code) => Expectation::Problem(403, code),
        NotFound(_, found_by) if found_by.contains(&principal) => Expectation::Done,
        NotFound(code, _) => Expectation::Problem(404, code),
    }
}
