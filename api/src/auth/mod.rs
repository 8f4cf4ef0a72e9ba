//! Authentication: tokens, passwords, and the roles that endpoints require.

pub(crate) mod access_token;
pub(crate) mod caller;
pub(crate) mod challenge;
pub(crate) mod device;
mod failure_counters;
pub(crate) mod game_hash;
pub(crate) mod keys;
pub(crate) mod log_in_limits;
pub(crate) mod new_password;
pub(crate) mod password;
pub(crate) mod password_queue;
mod roles;
pub(crate) mod sealing;
pub(crate) mod second_factor_code;
pub(crate) mod service_token;
pub(crate) mod session;
pub(crate) mod totp;

pub(crate) use self::{
    caller::Caller,
    roles::{Admin, Editor, Game, OptionalCaller, Player, RequireRole, SenderOf, unauthorized},
};
