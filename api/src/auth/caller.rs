//! The authenticated principal of a request. Middleware attaches it to the request.

use guildhall_common::contract::{
    account::{AccountId, Role, SessionId},
    command::Actor,
};

use crate::http::{api_refusal::ApiRefusal, problem::Problem};

/// The result of the authentication of a request that has a token.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    Authenticated(Caller),
    /// The token is invalid, expired or revoked.
    InvalidToken,
}

impl Identity {
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Authenticated(caller) => caller.actor,
            Self::InvalidToken => Actor::Anonymous,
        }
    }
}

/// The principal of an authenticated request: an account or a game server.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub actor: Actor,
    /// The session of an account. A game server has none.
    pub session_id: Option<SessionId>,
    pub roles: Vec<Role>,
    /// The roles of the account that need a second factor, which it does not have.
    pub ineffective_roles: Vec<Role>,
}

impl Caller {
    /// The id of the account.
    ///
    /// # Errors
    /// 403 when the caller is a game server, which has no account.
    pub(crate) fn account_id(&self) -> Result<AccountId, Problem> {
        self.actor.account_id().ok_or_else(|| role_missing(Role::Player))
    }

    /// Whether the caller has this role. An administrator has every role except the game server's.
    pub(crate) fn is(&self, role: Role) -> bool {
        include(&self.roles, role)
    }

    /// 403: the caller does not have the role, or needs a second factor for it.
    pub(super) fn missing(&self, role: Role) -> Problem {
        if include(&self.ineffective_roles, role) {
            return ApiRefusal::SecondFactorMissing.into();
        }
        role_missing(role)
    }
}

fn include(roles: &[Role], role: Role) -> bool {
    roles.contains(&role) || (roles.contains(&Role::Admin) && role != Role::Game)
}

/// 403: the caller does not have the role.
fn role_missing(role: Role) -> Problem {
    let role = serde_json::to_value(role).unwrap_or_default();
    let detail = format!("This needs the role {}.", role.as_str().unwrap_or_default());
    Problem { detail, ..ApiRefusal::RoleMissing.into() }
}
