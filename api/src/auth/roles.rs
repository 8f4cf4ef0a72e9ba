//! The extractors of the caller, and the roles that they require.

use std::marker::PhantomData;

use guildhall_common::contract::account::Role;
use poem::{Request, RequestBody, Result, http::StatusCode};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};

use crate::{
    auth::caller::{Caller, Identity},
    http::problem::Problem,
};

/// A role that an endpoint requires.
pub(crate) trait Access: Send + Sync {
    const ROLE: Role;
    /// The name of the security scheme in the OpenAPI document.
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
    /// Every account has this role.
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

/// Extracts the caller, and requires the role.
pub(crate) struct RequireRole<A>(pub Caller, PhantomData<A>);

/// Extracts the caller, or None if the request has no token.
pub(crate) struct OptionalCaller(pub Option<Caller>);

fn register_schemes(registry: &mut Registry) {
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
        ..scheme("The access token from the response of `POST /auth`.")
    };
    registry.create_security_scheme(Player::SCHEME, jwt);
    registry.create_security_scheme(
        Game::SCHEME,
        scheme("A service token. `guildhall-workers service-token create NAME` creates it."),
    );
}

impl<'a, A: Access> ApiExtractor<'a> for RequireRole<A> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register_schemes(registry);
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
            Some(Identity::Authenticated(caller)) if caller.is(A::ROLE) => {
                Ok(Self(caller.clone(), PhantomData))
            }
            Some(Identity::Authenticated(caller)) => Err(caller.missing(A::ROLE).into()),
            _ => Err(unauthorized().into()),
        }
    }
}

impl<'a> ApiExtractor<'a> for OptionalCaller {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register_schemes(registry);
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
            Some(Identity::Authenticated(caller)) => Ok(Self(Some(caller.clone()))),
            Some(Identity::InvalidToken) => Err(unauthorized().into()),
            None => Ok(Self(None)),
        }
    }
}

/// 401: the request has no valid token.
pub(crate) fn unauthorized() -> Problem {
    let detail = "The request has no valid token. Log in, and send `Authorization: Bearer TOKEN`.";
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
}
