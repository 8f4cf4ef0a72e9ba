//! The payment providers: how each one proves that a notification is its own.
//!
//! The module of a provider has the verification of its proof, and the schema of its notifications. This file lists the
//! providers. Nothing else in the api depends on a single provider.

mod api_pix;
mod manual;
pub(crate) mod sender;

use poem_openapi::{
    registry::{MetaSchemaRef, Registry},
    types::Type,
};

use self::{
    api_pix::{ApiPixVerifier, PixNotification},
    manual::ManualVerifier,
    sender::{NotificationHead, SenderProof, VerifiedSender},
};
use crate::config::WebhookSettings;

/// Verifies the senders of notifications.
#[derive(Clone)]
pub(crate) struct Webhooks {
    api_pix: ApiPixVerifier,
    manual: ManualVerifier,
}

impl Webhooks {
    /// # Errors
    /// A secret is too weak, or a setting can never work.
    pub(crate) fn new(settings: &WebhookSettings, has_trusted_proxies: bool) -> anyhow::Result<Self> {
        Ok(Self {
            api_pix: ApiPixVerifier::new(settings, has_trusted_proxies)?,
            manual: ManualVerifier::new(settings)?,
        })
    }

    /// The sender of the notification, if the request has a valid proof. A signed request has no other proof.
    pub(crate) fn verify(&self, head: NotificationHead<'_>, body: &[u8]) -> Option<VerifiedSender> {
        if ManualVerifier::is_signed(head) {
            self.manual.verify(head, body)
        } else {
            self.api_pix.verify(head)
        }
    }

    /// The proof in the head, as far as it can be verified without the body.
    pub(crate) fn verify_head(&self, head: NotificationHead<'_>) -> SenderProof {
        if ManualVerifier::is_signed(head) {
            if self.manual.may_be_verified(head) { SenderProof::InBody } else { SenderProof::Missing }
        } else if self.api_pix.verify(head).is_some() {
            SenderProof::Valid
        } else {
            SenderProof::Missing
        }
    }
}

/// The names of the providers' proofs in the OpenAPI document. One of them is required.
pub(crate) const SECURITY_SCHEMES: [&str; 2] = [api_pix::SECURITY_SCHEME, manual::SECURITY_SCHEME];

/// Adds the proofs to the OpenAPI document.
pub(crate) fn register_security_schemes(registry: &mut Registry) {
    registry.create_security_scheme(api_pix::SECURITY_SCHEME, api_pix::security_scheme());
    registry.create_security_scheme(manual::SECURITY_SCHEME, manual::security_scheme());
}

/// The schema of a notification in the OpenAPI document. A signed notification may have any fields.
pub(crate) fn body_schema() -> MetaSchemaRef {
    PixNotification::schema_ref()
}

/// Adds the schemas of notifications to the OpenAPI document.
pub(crate) fn register_body_schema(registry: &mut Registry) {
    PixNotification::register(registry);
}
