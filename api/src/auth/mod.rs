//! Bearer token → the caller, and what a caller needs to be.

pub(crate) mod access_token;
pub(crate) mod keys;
pub(crate) mod password;

use std::{marker::PhantomData, time::Duration};

use guildhall_common::{
    contract::{
        account::{AccountId, Role, SERVICE_TOKEN_PREFIX, ServiceTokenId, service_token_key, session_key},
        cache_key::CacheKey,
        command::Actor,
    },
    platform::cache::Cacheable,
};
use poem::{
    Endpoint, Request, RequestBody, Response, Result,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};
use sha2::{Digest, Sha256};

use uuid::Uuid;

use crate::{
    auth::keys::hex,
    http::{problem::Problem, read_response::cached_body},
    middleware::Next,
    state::State,
};

/// Who asks, if anybody: worked out once per request.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    Nobody,
    Known(Caller),
    /// There is a token, and it is no good.
    Bad,
}

impl Identity {
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Known(caller) => caller.actor,
            Self::Nobody | Self::Bad => Actor::Nobody,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub actor: Actor,
    /// None for a game server.
    pub session_id: Option<Uuid>,
    pub roles: Vec<Role>,
}

impl Caller {
    /// The account; 0, which none has, for a game server.
    pub(crate) fn account_id(&self) -> i64 {
        self.actor.account_id().map_or(0, AccountId::get)
    }

    pub(crate) fn is(&self, role: Role) -> bool {
        self.roles.contains(&role) || (self.roles.contains(&Role::Admin) && role != Role::Game)
    }
}

/// Middleware: who asks?
pub(crate) async fn identify(next: Next, mut request: Request) -> Result<Response> {
    // Of two tokens neither counts: a proxy in front may have looked at the other one.
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    let token = match (values.next(), values.next()) {
        (None, _) => None,
        (Some(value), None) => Some(value.to_str().ok().and_then(bearer)),
        (Some(_), Some(_)) => Some(None),
    };
    let identity = match (request.data::<State>(), token) {
        (Some(state), Some(Some(token))) => match token.starts_with(SERVICE_TOKEN_PREFIX) {
            true => service(state, token).await?,
            false => player(state, token).await?,
        },
        (_, Some(None)) => Identity::Bad,
        _ => Identity::Nobody,
    };
    request.set_data(identity);
    next.call(request).await
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

struct SessionView {
    session_id: Uuid,
    account_id: i64,
}

impl Cacheable for SessionView {
    const TTL: Duration = Duration::from_secs(60);

    fn key(&self) -> CacheKey {
        session_key(self.session_id)
    }

    /// A session says nothing of another account.
    fn field(&self) -> String {
        self.account_id.to_string()
    }
}

/// The roles are those of now, and a session that was ended is at an end at once.
async fn player(state: &State, token: &str) -> Result<Identity, Problem> {
    let Some((account_id, session_id)) = state.tokens.check(token) else {
        return Ok(Identity::Bad);
    };
    let load = async {
        let roles = sqlx::query_scalar!(
            "select roles from sessions join accounts using (account_id)
             where session_id = $1 and account_id = $2 and ended_at is null",
            session_id,
            account_id,
        );
        cached_body(&roles.fetch_optional(&state.database).await?, None)
    };
    let found = state.cache.get_or_load(&SessionView { session_id, account_id }, load).await?;
    let Ok(Some(mut roles)) = serde_json::from_slice::<Option<Vec<Role>>>(&found.body) else {
        return Ok(Identity::Bad);
    };
    let Ok(account_id) = account_id.try_into() else {
        return Ok(Identity::Bad);
    };
    roles.insert(0, Role::Player);
    Ok(Identity::Known(Caller { actor: Actor::Account(account_id), session_id: Some(session_id), roles }))
}

struct ServiceTokenView(String);

impl Cacheable for ServiceTokenView {
    const TTL: Duration = Duration::from_secs(60);

    fn key(&self) -> CacheKey {
        service_token_key(&self.0)
    }
}

async fn service(state: &State, token: &str) -> Result<Identity, Problem> {
    let secret = token.trim_start_matches(SERVICE_TOKEN_PREFIX);
    if secret.len() != 40 || !secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(Identity::Bad);
    }
    let view = ServiceTokenView(hex(&Sha256::digest(token.as_bytes())));
    let load = async {
        let id = sqlx::query_scalar!(
            "select service_token_id from service_tokens where token_hash = decode($1, 'hex') and revoked_at is null",
            view.0,
        );
        cached_body(&id.fetch_optional(&state.database).await?, None)
    };
    let found = state.cache.get_or_load(&view, load).await?;
    let Ok(Some(id)) = serde_json::from_slice::<Option<ServiceTokenId>>(&found.body) else {
        return Ok(Identity::Bad);
    };
    Ok(Identity::Known(Caller { actor: Actor::Service(id), session_id: None, roles: vec![Role::Game] }))
}

/// What an endpoint asks of its caller.
pub(crate) trait Access: Send + Sync {
    const ROLE: Role;
    /// As it is named in the document.
    const SCHEME: &'static str = "bearerAuth";
}

macro_rules! access {
    ($($(#[$meta:meta])* $name:ident)+) => {$(
        $(#[$meta])*
        pub(crate) struct $name;

        impl Access for $name {
            const ROLE: Role = Role::$name;
        }
    )+};
}

access! {
    /// Anybody with an account.
    Player
    Editor
    Merchant
    Admin
}

/// A game server.
pub(crate) struct Game;

impl Access for Game {
    const ROLE: Role = Role::Game;
    const SCHEME: &'static str = "serviceToken";
}

/// The caller, who has this role.
pub(crate) struct RequireRole<A>(pub Caller, PhantomData<A>);

/// The caller, if signed in.
pub(crate) struct OptionalCaller(pub Option<Caller>);

fn register(registry: &mut Registry) {
    let scheme = |description| MetaSecurityScheme {
        ty: "http",
        description: Some(description),
        name: None,
        key_in: None,
        scheme: Some("bearer"),
        bearer_format: None,
        flows: None,
        openid_connect_url: None,
    };
    let jwt = MetaSecurityScheme {
        bearer_format: Some("JWT"),
        ..scheme("The access token that `POST /auth` answers.")
    };
    registry.create_security_scheme(Player::SCHEME, jwt);
    registry.create_security_scheme(
        Game::SCHEME,
        scheme("A service token, made by `guildhall-workers service-token create NAME`."),
    );
}

impl<'a, A: Access> ApiExtractor<'a> for RequireRole<A> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![A::SCHEME]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        match request.data::<Identity>() {
            Some(Identity::Known(caller)) if caller.is(A::ROLE) => Ok(Self(caller.clone(), PhantomData)),
            Some(Identity::Known(_)) => {
                let role = serde_json::to_value(A::ROLE).unwrap_or_default();
                let detail = format!("This needs the role {}.", role.as_str().unwrap_or_default());
                Err(Problem::new(StatusCode::FORBIDDEN, "role_missing", detail).into())
            }
            _ => Err(unauthorized().into()),
        }
    }
}

impl<'a> ApiExtractor<'a> for OptionalCaller {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![Player::SCHEME]
    }

    fn has_security_fallback() -> bool {
        true
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        match request.data::<Identity>() {
            Some(Identity::Known(caller)) => Ok(Self(Some(caller.clone()))),
            Some(Identity::Bad) => Err(unauthorized().into()),
            Some(Identity::Nobody) | None => Ok(Self(None)),
        }
    }
}

pub(crate) fn unauthorized() -> Problem {
    let detail = "Sign in: send a token that is still good as `Authorization: Bearer TOKEN`.";
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
}
