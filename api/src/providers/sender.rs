//! The sender of a notification, before and after its verification.

use guildhall_common::contract::providers::Provider;
use poem::Request;
use poem_openapi::registry::MetaSecurityScheme;

use crate::http::client_address::TrustedProxies;

/// The head of a request with a notification whose sender is not verified.
#[derive(Clone, Copy)]
pub(crate) struct NotificationHead<'a> {
    request: &'a Request,
    trusted_proxies: &'a TrustedProxies,
}

impl<'a> NotificationHead<'a> {
    pub(crate) fn new(request: &'a Request, trusted_proxies: &'a TrustedProxies) -> Self {
        Self { request, trusted_proxies }
    }

    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        self.request.header(name)
    }

    pub(super) fn query(&self) -> &'a str {
        self.request.uri().query().unwrap_or_default()
    }

    /// Whether the connection comes from a trusted proxy.
    pub(super) fn is_from_trusted_proxy(&self) -> bool {
        let peer = self.request.remote_addr().as_socket_addr();
        peer.is_some_and(|peer| self.trusted_proxies.contains(peer.ip()))
    }
}

/// The proof of the sender in the head of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SenderProof {
    /// It is valid.
    Valid,
    /// Only the body shows whether it is valid. Until then, anyone may have sent the request.
    InBody,
    /// It is missing or invalid.
    Missing,
}

/// The verified sender of a notification.
pub(crate) struct VerifiedSender {
    pub provider: Provider,
    /// The sender's id of the notification, if it is signed.
    pub notification_id: Option<String>,
}

/// A proof in a header or in the query, for the OpenAPI document.
pub(super) fn api_key(
    name: &'static str,
    key_in: &'static str,
    description: &'static str,
) -> MetaSecurityScheme {
    MetaSecurityScheme {
        ty: "apiKey",
        description: Some(description),
        name: Some(name),
        key_in: Some(key_in),
        scheme: None,
        bearer_format: None,
        flows: None,
        openid_connect_url: None,
    }
}
