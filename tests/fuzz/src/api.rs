//! The API without servers. This is the only file that uses `guildhall_api`.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    sync::LazyLock,
};

use futures_util::FutureExt;
use guildhall_api::{
    State, app,
    config::{
        ApiConfig, CaptchaKind, CaptchaPlace, CaptchaSettings, CommandTimes, ConnectionSettings,
        LimitSettings, SessionSettings, WebhookSettings,
    },
};
use guildhall_common::platform::config::{ObjectStoreSettings, ServerSettings, SiteSettings};
use poem::{
    Addr, Endpoint, EndpointExt, Request, RequestParts, Response,
    endpoint::BoxEndpoint,
    http::{request::Builder, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::runtime::{self, Runtime};

/// The key of signed webhooks, in base64. The configuration has the prefix `whsec_`.
pub(crate) const SIGNING_SECRET: &str = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// The API that all inputs share. Its servers do not exist, so it refuses what needs one.
pub(crate) static API: LazyLock<Api> = LazyLock::new(Api::new);

pub(crate) struct Api {
    runtime: Runtime,
    endpoint: BoxEndpoint<'static, Response>,
}

impl Api {
    fn new() -> Self {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let context = runtime.enter();
        let state = State::new(&config()).expect("a valid configuration");
        let endpoint = app(state).map_to_response().boxed();
        drop(context);
        Self { runtime, endpoint }
    }

    /// The response to a request. `None` if the request is not valid HTTP, or if its response waits
    /// for a server.
    pub(crate) fn respond(&self, request: Builder, body: &[u8]) -> Option<Response> {
        let (parts, ()) = request.body(()).ok()?.into_parts();
        let address = Addr::SocketAddr(([127, 0, 0, 1], 0).into());
        let parts: RequestParts =
            (parts, LocalAddr(address.clone()), RemoteAddr(address), Scheme::HTTP).into();
        let request = Request::from_parts(parts, body.to_vec().into());
        let _context = self.runtime.enter();
        self.endpoint.get_response(request).now_or_never()
    }
}

/// Addresses without servers, and limits that no input reaches.
fn config() -> ApiConfig {
    ApiConfig {
        servers: ServerSettings {
            database_url: "postgres://127.0.0.1:1/none".into(),
            database_connections: 1,
            amqp_url: "amqp://127.0.0.1:1".into(),
            redis_url: "redis://127.0.0.1:1".into(),
            objects: ObjectStoreSettings::default(),
            namespace: "fuzz".to_owned(),
        },
        site: SiteSettings {
            site_name: "Guildhall".to_owned(),
            site_url: None,
            site_language: "en".parse().expect("a language"),
        },
        connections: ConnectionSettings {
            listen: ([127, 0, 0, 1], 0).into(),
            health_listen: ([127, 0, 0, 1], 0).into(),
            cors_origins: vec!["https://example.org".to_owned()],
            trusted_proxies: vec![],
            total: NonZeroUsize::MAX,
            per_address: NonZeroUsize::MAX,
            drain_seconds: 0,
        },
        limits: LimitSettings {
            requests_per_minute: NonZeroU32::MAX,
            log_ins_per_minute: NonZeroU32::MAX,
            registrations_per_hour: NonZeroU32::MAX,
        },
        sessions: SessionSettings {
            secrets: vec!["3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=".into()],
            second_factor_required: false,
            session_days: 30,
            access_token_minutes: 15,
        },
        captcha: CaptchaSettings {
            captcha: CaptchaKind::Altcha,
            captcha_at: vec![CaptchaPlace::Recovery],
            captcha_url: None,
            captcha_secret: None,
            captcha_site_key: None,
        },
        webhooks: WebhookSettings {
            pix_webhook_secret: Some("0123456789abcdef".into()),
            pix_webhook_certificate_header: None,
            webhook_secrets: vec![format!("whsec_{SIGNING_SECRET}").into()],
        },
        commands: CommandTimes::default(),
    }
}
