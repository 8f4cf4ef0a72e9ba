//! The lookup of the service token of a game server.

use std::time::Duration;

use guildhall_common::{
    contract::{
        account::{Role, SERVICE_TOKEN_PREFIX, ServiceTokenId, service_token_key},
        cache_key::CacheKey,
        command::Actor,
    },
    platform::cache::{Cache, Cacheable},
};
use sha2::{Digest, Sha256};
use sqlx::PgPool;

use crate::{
    auth::caller::Caller,
    http::{problem::Problem, read_response::cached_body},
};

/// The hexadecimal digits of a token after its prefix.
const DIGITS: usize = 40;

/// The cached id of a service token, by the token's hash.
struct ServiceTokenView(String);

impl Cacheable for ServiceTokenView {
    const TTL: Duration = Duration::from_secs(60);

    fn key(&self) -> CacheKey {
        service_token_key(&self.0)
    }
}

/// Whether the token is a service token and not an access token.
pub(crate) fn is_service_token(token: &str) -> bool {
    token.starts_with(SERVICE_TOKEN_PREFIX)
}

/// The caller of a service token that is not revoked.
///
/// # Errors
/// 503 if the token can be read neither from the cache nor from Postgres.
pub(crate) async fn find_caller(
    database: &PgPool,
    cache: &Cache,
    token: &str,
) -> Result<Option<Caller>, Problem> {
    let secret = token.trim_start_matches(SERVICE_TOKEN_PREFIX);
    if secret.len() != DIGITS || !secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(None);
    }
    let view = ServiceTokenView(hex::encode(Sha256::digest(token.as_bytes())));
    let load = async {
        let id = sqlx::query_scalar!(
            "select service_token_id from service_tokens where token_hash = decode($1, 'hex') and revoked_at is null",
            view.0,
        );
        cached_body(&id.fetch_optional(database).await?, None)
    };
    let found = cache.get_or_load(&view, load).await?;
    let Ok(Some(id)) = serde_json::from_slice::<Option<ServiceTokenId>>(&found.body) else {
        return Ok(None);
    };
    Ok(Some(Caller { actor: Actor::Service(id), session_id: None, roles: vec![Role::Game] }))
}
