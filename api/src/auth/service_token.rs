//! The lookup of the service token of a game server.

use std::{collections::HashMap, time::Duration};

use guildhall_common::{
    contract::{
        account::{Role, SERVICE_TOKEN_PREFIX, ServiceTokenId, service_tokens_key},
        cache_key::CacheKey,
        command::Actor,
        secret_hash::hash_secret,
    },
    platform::cache::{Cache, Cacheable},
};
use sqlx::PgPool;

use crate::{
    auth::caller::Caller,
    http::{problem::Problem, read_response::cached_body},
};

/// The hexadecimal digits of a token after its prefix.
const DIGITS: usize = 40;

/// The cached list of all valid service tokens. There are few, so an unknown token costs no query and no entry of its own.
struct ValidServiceTokens;

/// The id of each valid token, by the hash of the token.
type ServiceTokenIds = HashMap<String, ServiceTokenId>;

impl Cacheable for ValidServiceTokens {
    const TTL: Duration = Duration::from_secs(60);

    fn key(&self) -> CacheKey {
        service_tokens_key()
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
    let load = async || {
        let tokens = sqlx::query!(
            r#"select encode(token_hash, 'hex') as "token_hash!", service_token_id as "id: ServiceTokenId"
               from service_tokens where revoked_at is null"#
        );
        let tokens = tokens.fetch_all(database).await?;
        let ids: ServiceTokenIds = tokens.into_iter().map(|token| (token.token_hash, token.id)).collect();
        cached_body(&ids, None)
    };
    let found = cache.get_or_load(&ValidServiceTokens, load).await?;
    let Ok(ids) = serde_json::from_slice::<ServiceTokenIds>(&found.body) else {
        return Ok(None);
    };
    let id = ids.get(&hash_secret(token));
    Ok(id.map(|id| Caller {
        actor: Actor::Service(*id),
        session_id: None,
        roles: vec![Role::Game],
        ineffective_roles: vec![],
    }))
}
