//! Payment notifications: as the webhook receives them, and as the workers process them.

use base64::{Engine, engine::general_purpose::STANDARD};
use guildhall_testkit::http::Request;
use hmac::{Hmac, KeyInit, Mac};
use http::Method;
use serde_json::Value;
use sha2::Sha256;

use super::{client::Client, options::SIGNING_SECRET, site::Site, wait::wait_until};

/// The path of the webhook.
pub(crate) const WEBHOOK: &str = "/payments/instant/webhook";

/// A notification that is signed as Standard Webhooks describes.
pub(crate) struct SignedNotification {
    pub(crate) id: String,
    timestamp: i64,
    pub(crate) body: String,
    pub(crate) signature: String,
}

impl SignedNotification {
    pub(crate) fn new(id: &str, body: &Value) -> Self {
        Self::with_timestamp(id, body, chrono::Utc::now().timestamp())
    }

    pub(crate) fn with_timestamp(id: &str, body: &Value, timestamp: i64) -> Self {
        let secret = STANDARD.decode(SIGNING_SECRET.trim_start_matches("whsec_")).unwrap();
        let body = body.to_string();
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        let signature = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        Self { id: id.to_owned(), timestamp, body, signature }
    }

    pub(crate) fn request(&self, client: &Client) -> Request {
        client
            .request(Method::POST, WEBHOOK)
            .header("webhook-id", &self.id)
            .header("webhook-timestamp", self.timestamp)
            .header("webhook-signature", &self.signature)
            .body(self.body.clone())
    }
}

impl Site {
    /// Waits until the workers have processed every notification that the api has accepted.
    pub(crate) async fn wait_until_notifications_are_processed(&self, player: &Client) {
        // A command of the same queue is processed after them.
        let cancel = format!("/payments/{}/cancel", uuid::Uuid::nil());
        player.post(&cancel, Value::Null).await.problem(404, "payment_not_found");
        let open = "select (select count(*) from payment_notifications where settled_at is null and parked_at is null)
                         + (select count(*) from jobs where job->>'name' = 'read_notification')";
        wait_until("every notification is processed", async || self.count(open).await == 0).await;
    }
}
