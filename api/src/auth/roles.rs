//! The extractors of the caller, and the roles that they require.

use std::marker::PhantomData;

use guildhall_common::contract::{
    account::Role,
    command::{Declaration, Sender},
};
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
    Admin
    /// Game servers have it, by their service tokens.
    Game
}

/// Extracts the caller, and requires the role.
pub(crate) struct RequireRole<A>(pub Caller, PhantomData<A>);

/// The role of those who may send the command.
pub(crate) struct MaySend<C>(PhantomData<C>);

/// Extracts the caller, and requires the role of those who may send the command.
pub(crate) type SenderOf<C> = RequireRole<MaySend<C>>;

/// Extracts the caller, or None if the request has no token.
pub(crate) struct OptionalCaller(pub Option<Caller>);

fn register_schemes(registry: &mut Registry) {
    let bearer = |description| MetaSecurityScheme {
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
        ..bearer("The access token from the response of `POST /auth`.")
    };
    registry.create_security_scheme(scheme(Role::Player), jwt);
    registry.create_security_scheme(
        scheme(Role::Game),
        bearer("A service token. `guildhall-workers service-token create NAME` creates it."),
    );
}

/// The name of the security scheme in the OpenAPI document.
fn scheme(role: Role) -> &'static str {
    match role {
        Role::Game => "serviceToken",
        Role::Player | Role::Editor | Role::Merchant | Role::Admin => "bearerAuth",
    }
}

/// The caller of a request, who must have the role.
fn require(request: &Request, role: Role) -> Result<Caller> {
    match request.data::<Identity>() {
        Some(Identity::Authenticated(caller)) if caller.is(role) => Ok(caller.clone()),
        Some(Identity::Authenticated(caller)) => Err(caller.missing(role).into()),
        _ => Err(unauthorized().into()),
    }
}

impl<'a, A: Access> ApiExtractor<'a> for RequireRole<A> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![scheme(A::ROLE)]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        Ok(Self(require(request, A::ROLE)?, PhantomData))
    }
}

impl<C: Declaration> Access for MaySend<C> {
    const ROLE: Role = match C::SENDER {
        Sender::Player => Role::Player,
        Sender::Editor => Role::Editor,
        Sender::Merchant => Role::Merchant,
        Sender::Admin => Role::Admin,
        Sender::GameServer => Role::Game,
        Sender::Visitor | Sender::PaymentProvider => panic!("the sender of this command has no token"),
    };
}

impl<'a> ApiExtractor<'a> for OptionalCaller {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        register_schemes(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![scheme(Role::Player)]
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
