//! Operations on webhooks.

use super::{
    change::RecordChange, error::BankError, identifiers::now, records::webhook::Webhook, store::FakeBank,
};

impl FakeBank {
    /// Sets the webhook of a Pix key.
    pub(crate) fn register_webhook(&mut self, key: &str, url: &str) -> Result<Webhook, BankError> {
        let webhook = Webhook { url: url.to_owned(), key: key.to_owned(), created_at: now() };
        self.commit(vec![RecordChange::Webhook(webhook.clone())])?;
        Ok(webhook)
    }

    pub(crate) fn remove_webhook(&mut self, key: &str) -> Result<(), BankError> {
        self.webhook(key).ok_or(BankError::NotFound)?;
        self.commit(vec![RecordChange::WebhookRemoved(key.to_owned())])
    }

    pub(crate) fn webhook(&self, key: &str) -> Option<&Webhook> {
        self.webhooks.get(key)
    }

    pub(crate) fn webhooks(&self) -> impl Iterator<Item = &Webhook> {
        self.webhooks.values()
    }
}
