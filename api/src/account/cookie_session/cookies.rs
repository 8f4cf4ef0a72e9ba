//! The cookies of a browser, and the extractors that read them. Each extractor refuses requests of other origins.

use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaSecurityScheme, Registry},
};

use crate::{
    account::session::RefreshToken,
    auth::{device::DeviceToken, unauthorized},
    http::{
        cookies::{SetCookie, read},
        own_page::require_own_page,
        problem::Problem,
    },
    state::State,
};

/// The refresh token of the browser's session.
const SESSION: &str = "__Host-guildhall-session";

/// The device token of the browser.
const DEVICE: &str = "__Host-guildhall-device";

/// The name of the security scheme in the OpenAPI document.
const SCHEME: &str = "sessionCookie";

/// 400 days, the longest time for which browsers keep a cookie.
const DEVICE_SECONDS: i64 = 400 * 24 * 60 * 60;

/// The browser of a request that a page of the site has sent.
pub(super) struct Browser {
    pub(super) device_token: Option<DeviceToken>,
}

/// The session of the browser.
pub(super) struct SessionCookie(pub(super) RefreshToken);

pub(super) fn session_cookie(state: &State, refresh_token: &str) -> SetCookie {
    SetCookie::new(SESSION, refresh_token, state.refresh_lifetime.num_seconds())
}

pub(super) fn no_session_cookie() -> SetCookie {
    SetCookie::deletion(SESSION)
}

pub(super) fn device_cookie(device_token: &str) -> SetCookie {
    SetCookie::new(DEVICE, device_token, DEVICE_SECONDS)
}

fn require_own_page_of_site(request: &Request) -> Result<(), Problem> {
    let state = request.data::<Arc<State>>();
    require_own_page(request, state.and_then(|state| state.site_url.as_ref()))
}

impl<'a> FromRequest<'a> for Browser {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        require_own_page_of_site(request)?;
        Ok(Self { device_token: read(request, DEVICE).and_then(|token| token.parse().ok()) })
    }
}

impl<'a> ApiExtractor<'a> for SessionCookie {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        let scheme = MetaSecurityScheme {
            ty: "apiKey",
            description: Some("The cookie of a browser that has logged in with `POST /auth/cookie`."),
            name: Some(SESSION),
            key_in: Some("cookie"),
            scheme: None,
            bearer_format: None,
            flows: None,
            openid_connect_url: None,
        };
        registry.create_security_scheme(SCHEME, scheme);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![SCHEME]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        require_own_page_of_site(request)?;
        let token = read(request, SESSION).and_then(|token| token.parse().ok());
        Ok(Self(token.ok_or_else(unauthorized)?))
    }
}
