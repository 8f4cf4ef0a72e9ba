//! The requests with which payment providers send notifications.

use std::sync::Arc;

use guildhall_common::contract::{payment::StoreNotifications, providers::read_webhook_body};
use poem::{Request, RequestBody, Result, http::StatusCode};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
};

use crate::{
    http::{client_address::ClientAddress, json::JSON, problem::Problem, request_data::RawBody},
    providers::{
        self,
        sender::{NotificationHead, VerifiedSender},
    },
    state::State,
};

/// The body of a request, not parsed yet.
pub(super) struct WebhookBody(RawBody);

/// Reads the notifications in a body. An empty list gives None: banks send one to test the connection.
///
/// # Errors
/// 400 when the body cannot be read.
pub(super) fn read_notifications(
    sender: VerifiedSender,
    body: &WebhookBody,
) -> Result<Option<StoreNotifications>, Problem> {
    let WebhookBody(RawBody(raw)) = body;
    let provider = sender.provider;
    let notifications = read_webhook_body(provider, sender.notification_id, raw)
        .map_err(|error| Problem::invalid(error.pointer(), error.into()))?;
    Ok((!notifications.is_empty()).then_some(StoreNotifications { provider, notifications }))
}

impl<'a> ApiExtractor<'a> for VerifiedSender {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        providers::register_security_schemes(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        providers::SECURITY_SCHEMES.to_vec()
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        let (Some(state), Some(address)) = (request.data::<Arc<State>>(), request.data::<ClientAddress>())
        else {
            return Err(not_verified().into());
        };
        let RawBody(body) = RawBody::of(request);
        match state.webhooks.verify(NotificationHead::new(request, &state.trusted_proxies), &body) {
            Some(sender) => Ok(sender),
            None => {
                // Only requests without a valid proof count against the rate limit, so that guessing is slow.
                state.rate_limits.try_unverified_sender(*address)?;
                Err(not_verified().into())
            }
        }
    }
}

impl<'a> ApiExtractor<'a> for WebhookBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        providers::register_body_schema(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: JSON, schema: providers::body_schema() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    /// Accepts any media type, because some banks send a wrong one.
    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        Ok(Self(RawBody::of(request)))
    }
}

fn not_verified() -> Problem {
    let detail = "The sender of this notification cannot be verified. Send the secret, or a valid signature.";
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
}
