//! Sessions of browsers. The refresh token and the device token are in cookies that scripts cannot read, so a page has only
//! the access token.

mod cookies;

use guildhall_common::contract::account::{AccountId, RotateSession, StartSession};
use poem::{IntoResponse, Response, http::StatusCode, web::Data};
use poem_openapi::{
    ApiResponse, Object, OpenApi,
    registry::{MetaResponse, MetaResponses, Registry},
};
use serde::{Deserialize, Serialize};

use self::cookies::{Browser, SessionCookie, device_cookie, no_session_cookie, session_cookie};
use crate::{
    account::{
        password_log_in,
        second_factor::{bodies::CodeAfterPassword, log_in},
        session::{self, Credentials, LogInClient, Session},
    },
    captcha::required_captcha::CaptchaSolution,
    config::CaptchaPlace,
    http::{
        client_address::ClientAddress, client_headers::ClientHeaders, command_request::CommandRequest,
        cookies::WithCookies, json::JsonBody, parameters::Header, problem::Problem,
        read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct CookieSessions {
    pub state: State,
}

/// The access token of a browser's session. The other tokens are in cookies.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct BrowserSession {
    /// Send it as `Authorization: Bearer TOKEN`. Keep it only in memory.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// The number of seconds until the access token expires.
    pub expires_in: u64,
    pub account_id: AccountId,
}

/// The browser has no session any more.
pub(crate) struct LoggedOut;

/// The response to an operation that sends the command `C`.
type SessionResponse<C> = WithCookies<ReadResponse<BrowserSession, C>>;

#[OpenApi(tag = "Tag::Accounts")]
impl CookieSessions {
    /// Log in a browser
    ///
    /// As `POST /auth`, but the refresh token and the device token become cookies that no script can read. The cookie of an earlier
    /// log-in replaces the `device_token` of the body. The `challenge` of an account with a second factor is for
    /// `/auth/cookie/second-factor`. Only pages of the site itself can send this request.
    #[oai(path = "/auth/cookie", method = "post", operation_id = "auth_cookie_log_in")]
    async fn log_in(
        &self,
        browser: Browser,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        #[oai(name = "Captcha")] captcha: Header<Option<CaptchaSolution>>,
        body: JsonBody<Credentials>,
    ) -> Result<SessionResponse<StartSession>, Problem> {
        self.state.captchas.require(CaptchaPlace::LogIn, &request, *address.0, captcha.0).await?;
        let client = LogInClient { address: *address.0, device: headers.device };
        let credentials = body.0.of_device(browser.device_token);
        self.respond(password_log_in::start(&self.state, &request, client, credentials).await?)
    }

    /// Log in a browser with a code
    ///
    /// The second step of a log-in, as `POST /auth/second-factor`. `trust_device` is about the cookie of the device.
    #[oai(path = "/auth/cookie/second-factor", method = "post", operation_id = "auth_cookie_second_factor")]
    async fn second_factor(
        &self,
        _browser: Browser,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        body: JsonBody<CodeAfterPassword>,
    ) -> Result<SessionResponse<StartSession>, Problem> {
        let client = LogInClient { address: *address.0, device: headers.device };
        self.respond(log_in::complete(&self.state, &request, client, body.0).await?)
    }

    /// Get an access token for a browser
    ///
    /// A page sends this when it is opened, and before its access token expires. The refresh token in the cookie is replaced, with the
    /// same rules as for `POST /auth/refresh`: pages that send this at the same time all get an access token. If the session has
    /// ended, the cookie is deleted.
    #[oai(path = "/auth/cookie/refresh", method = "post", operation_id = "auth_cookie_refresh")]
    async fn refresh(
        &self,
        cookie: SessionCookie,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
    ) -> Result<SessionResponse<RotateSession>, Problem> {
        let client = LogInClient { address: *address.0, device: headers.device };
        match session::rotate(&self.state, &request, client, &cookie.0).await {
            Ok(session) => self.respond(session),
            Err(problem) if problem.status == StatusCode::UNAUTHORIZED => {
                Ok(WithCookies::problem(problem, vec![no_session_cookie()]))
            }
            Err(problem) => Err(problem),
        }
    }

    /// Log out a browser
    ///
    /// Ends the session of the cookie, and deletes the cookie. It needs no access token, and succeeds even if the session has
    /// already ended. The cookie of the device stays.
    #[oai(path = "/auth/cookie", method = "delete", operation_id = "auth_cookie_log_out")]
    async fn log_out(
        &self,
        cookie: SessionCookie,
        request: CommandRequest,
    ) -> Result<WithCookies<LoggedOut>, Problem> {
        session::end(&self.state, &request, &cookie.0).await?;
        Ok(WithCookies::new(LoggedOut, vec![no_session_cookie()]))
    }

    fn respond<C>(&self, session: Session) -> Result<SessionResponse<C>, Problem> {
        let Session { access_token, token_type, expires_in, refresh_token, account_id, device_token } =
            session;
        let device_cookie = device_token.as_deref().map(device_cookie);
        let cookies = [session_cookie(&self.state, &refresh_token)].into_iter().chain(device_cookie);
        let body = BrowserSession { access_token, token_type, expires_in, account_id };
        Ok(WithCookies::new(ReadResponse::secret(&body)?, cookies.collect()))
    }
}

impl IntoResponse for LoggedOut {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into()
    }
}

impl ApiResponse for LoggedOut {
    fn meta() -> MetaResponses {
        let done = MetaResponse {
            description: "The browser has no session any more.",
            status: Some(StatusCode::NO_CONTENT.as_u16()),
            status_range: None,
            content: vec![],
            headers: vec![],
        };
        MetaResponses { responses: vec![done] }
    }

    fn register(_: &mut Registry) {}
}

guildhall_common::examples! {
    BrowserSession {
        "access_token": "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.e30.c2ln", "token_type": "Bearer", "expires_in": 900,
        "account_id": 3
    }
}
