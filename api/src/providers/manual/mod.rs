//! Bank accounts without an API. The owner's own program sends signed notifications.

mod signature;

use anyhow::Context;
use chrono::Utc;
use guildhall_common::contract::providers::Provider;
use poem_openapi::registry::MetaSecurityScheme;

use self::signature::SigningSecrets;
use super::sender::{NotificationHead, VerifiedSender, api_key};
use crate::config::WebhookSettings;

pub(super) const SECURITY_SCHEME: &str = "webhookSignature";

const SIGNATURE: &str = "webhook-signature";

const TIMESTAMP: &str = "webhook-timestamp";

/// Verifies signed notifications.
#[derive(Clone)]
pub(super) struct ManualVerifier {
    secrets: SigningSecrets,
}

impl ManualVerifier {
    pub(super) fn new(settings: &WebhookSettings) -> anyhow::Result<Self> {
        let secrets = SigningSecrets::new(&settings.webhook_secrets)
            .context("GUILDHALL_WEBHOOK_SECRETS cannot be used")?;
        Ok(Self { secrets })
    }

    /// Whether the request has a signature, valid or not.
    pub(super) fn is_signed(head: NotificationHead<'_>) -> bool {
        head.header(SIGNATURE).is_some()
    }

    /// Whether the signature can be valid. Only the body shows whether it is.
    pub(super) fn may_be_verified(&self, head: NotificationHead<'_>) -> bool {
        let is_current = |timestamp| signature::is_current(timestamp, Utc::now().timestamp());
        !self.secrets.is_empty()
            && message_id(head).is_some()
            && head.header(TIMESTAMP).is_some_and(is_current)
    }

    pub(super) fn verify(&self, head: NotificationHead<'_>, body: &[u8]) -> Option<VerifiedSender> {
        let id = message_id(head)?;
        let (timestamp, signatures) = (head.header(TIMESTAMP)?, head.header(SIGNATURE)?);
        self.secrets
            .verify(id, timestamp, signatures, body, Utc::now().timestamp())
            .then(|| VerifiedSender { provider: Provider::Manual, notification_id: Some(id.to_owned()) })
    }
}

fn message_id(head: NotificationHead<'_>) -> Option<&str> {
    head.header("webhook-id").filter(|id| (1..=255).contains(&id.len()))
}

pub(super) fn security_scheme() -> MetaSecurityScheme {
    let description =
        "The signature of Standard Webhooks 1.0. It also needs `webhook-id` and `webhook-timestamp`.";
    api_key(SIGNATURE, "header", description)
}
