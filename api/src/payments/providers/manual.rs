//! Bank accounts without an API. The owner's own program sends signed notifications.

use anyhow::Context;
use chrono::Utc;
use clap::Args;
use guildhall_common::contract::notification::Provider;
use poem_openapi::registry::MetaSecurityScheme;
use secrecy::SecretString;

use super::{
    sender::{NotificationRequest, VerifiedSender, api_key},
    signature::SigningSecrets,
};

pub(super) const SECURITY_SCHEME: &str = "webhookSignature";

const SIGNATURE: &str = "webhook-signature";

#[derive(Debug, Clone, Args)]
pub struct ManualSettings {
    /// The secrets of signed notifications (Standard Webhooks), separated by commas: whsec_…
    #[arg(long, env = "GUILDHALL_WEBHOOK_SECRETS", hide_env_values = true, value_delimiter = ',')]
    pub webhook_secrets: Vec<SecretString>,
}

/// Verifies signed notifications.
#[derive(Clone)]
pub(super) struct ManualVerifier {
    secrets: SigningSecrets,
}

impl ManualVerifier {
    pub(super) fn new(settings: &ManualSettings) -> anyhow::Result<Self> {
        let secrets = SigningSecrets::new(&settings.webhook_secrets)
            .context("GUILDHALL_WEBHOOK_SECRETS cannot be used")?;
        Ok(Self { secrets })
    }

    /// Whether the request has a signature, valid or not.
    pub(super) fn is_signed(request: &NotificationRequest<'_>) -> bool {
        request.header(SIGNATURE).is_some()
    }

    pub(super) fn verify(&self, request: &NotificationRequest<'_>) -> Option<VerifiedSender> {
        let id = request.header("webhook-id").filter(|id| (1..=255).contains(&id.len()))?;
        let (timestamp, signatures) = (request.header("webhook-timestamp")?, request.header(SIGNATURE)?);
        self.secrets
            .verify(id, timestamp, signatures, request.body, Utc::now().timestamp())
            .then(|| VerifiedSender { provider: Provider::Manual, notification_id: Some(id.to_owned()) })
    }
}

pub(super) fn security_scheme() -> MetaSecurityScheme {
    let description =
        "The signature of Standard Webhooks 1.0. It also needs `webhook-id` and `webhook-timestamp`.";
    api_key(SIGNATURE, "header", description)
}
