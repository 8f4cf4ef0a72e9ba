//! The authenticated principal of a request. Middleware attaches it to the request.

use guildhall_common::contract::{
    account::{AccountId, Role},
    command::Actor,
};
use uuid::Uuid;

/// The result of the authentication of a request.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    /// The request has no token.
    Anonymous,
    Authenticated(Caller),
    /// The request has a token, but it is invalid, expired or revoked.
    InvalidToken,
}

impl Identity {
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Authenticated(caller) => caller.actor,
            Self::Anonymous | Self::InvalidToken => Actor::Nobody,
        }
    }
}

/// The principal of an authenticated request: an account or a game server.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub actor: Actor,
    /// The session of an account. A game server has none.
    pub session_id: Option<Uuid>,
    pub roles: Vec<Role>,
}

impl Caller {
    /// The id of the account. For a game server it is 0, which no account has.
    pub(crate) fn account_id(&self) -> i64 {
        self.actor.account_id().map_or(0, AccountId::get)
    }

    /// Whether the caller has this role. An administrator has every role except the game server's.
    pub(crate) fn is(&self, role: Role) -> bool {
        self.roles.contains(&role) || (self.roles.contains(&Role::Admin) && role != Role::Game)
    }
}
