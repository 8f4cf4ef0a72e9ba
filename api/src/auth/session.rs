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
use sqlx::PgPool;

use crate::{
    auth::caller::Caller,
    http::{problem::Problem, read_response::cached_body},
};

/// The cached roles of an active session.
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
        self.account_id.to_string()
    }
}

/// The caller of an active session, with the current roles of the account.
///
/// # Errors
/// 503 if the session can be read neither from the cache nor from Postgres.
pub(crate) async fn find_caller(
    database: &PgPool,
    cache: &Cache,
    account_id: AccountId,
    session_id: SessionId,
) -> Result<Option<Caller>, Problem> {
    let load = async {
        let roles = sqlx::query_scalar!(
            "select roles from sessions join accounts using (account_id)
             where session_id = $1 and account_id = $2 and ended_at is null",
            session_id.get(),
            account_id.get(),
        );
        cached_body(&roles.fetch_optional(database).await?, None)
    };
    let found = cache.get_or_load(&SessionView { session_id, account_id }, load).await?;
    let Ok(Some(mut roles)) = serde_json::from_slice::<Option<Vec<Role>>>(&found.body) else {
        return Ok(None);
    };
    roles.insert(0, Role::Player);
    Ok(Some(Caller { actor: Actor::Account(account_id), session_id: Some(session_id), roles }))
}
