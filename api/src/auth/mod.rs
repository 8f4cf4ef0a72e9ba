//! Authentication: tokens, passwords, and the roles that endpoints require.

pub(crate) mod access_token;
pub(crate) mod caller;
pub(crate) mod device;
pub(crate) mod keys;
pub(crate) mod log_in_limits;
pub(crate) mod password;
pub(crate) mod password_queue;
mod roles;
pub(crate) mod service_token;
pub(crate) mod session;

pub(crate) use self::{
    caller::Caller,
    roles::{Admin, Editor, Game, Merchant, OptionalCaller, Player, RequireRole, unauthorized},
};
