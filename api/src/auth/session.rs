//! The lookup of the session that an access token names.

use std::time::Duration;

use guildhall_common::{
    contract::{
        account::{AccountId, Role, SessionId, session_key},
        cache_key::CacheKey,
        command::Actor,
    },
    platform::cache::{Cache, Cacheable},
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::caller::Caller,
    http::{problem::Problem, read_response::cached_body},
};

/// The roles of an active session's account, as they are cached.
#[derive(Serialize, Deserialize)]
struct SessionRoles {
    roles: Vec<Role>,
    has_second_factor: bool,
}

/// The key of these roles.
struct SessionView {
    session_id: SessionId,
    account_id: AccountId,
}

impl Cacheable for SessionView {
    const TTL: Duration = Duration::from_secs(60);

    fn key(&self) -> CacheKey {
        session_key(self.session_id)
    }

    /// A token with a wrong account must not read the entry of the right account.
    fn field(&self) -> String {
        format!("{}/roles", self.account_id)
    }
}

/// The caller of an active session, with the current roles of the account. If roles need a second factor, an account without
/// one is only a player.
///
/// # Errors
/// 503 if the session can be read neither from the cache nor from Postgres.
pub(crate) async fn find_caller(
    database: &PgPool,
    cache: &Cache,
    account_id: AccountId,
    session_id: SessionId,
    second_factor_required: bool,
) -> Result<Option<Caller>, Problem> {
    let load = async || {
        let found = sqlx::query_as!(
            SessionRoles,
            r#"select roles as "roles: Vec<Role>", second_factor is not null as "has_second_factor!"
               from sessions join accounts using (account_id)
               where session_id = $1 and account_id = $2 and ended_at is null"#,
            session_id.get(),
            account_id.get(),
        );
        cached_body(&found.fetch_optional(database).await?, None)
    };
    let found = cache.get_or_load(&SessionView { session_id, account_id }, load).await?;
    let Ok(Some(found)) = serde_json::from_slice::<Option<SessionRoles>>(&found.body) else {
        return Ok(None);
    };
    let is_effective = found.has_second_factor || !second_factor_required;
    let (mut roles, ineffective_roles) =
        if is_effective { (found.roles, vec![]) } else { (vec![], found.roles) };
    roles.insert(0, Role::Player);
    let (actor, session_id) = (Actor::Account(account_id), Some(session_id));
    Ok(Some(Caller { actor, session_id, roles, ineffective_roles }))
}
