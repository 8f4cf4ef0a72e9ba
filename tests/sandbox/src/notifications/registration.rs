//! The registration of webhooks.

use std::{sync::Arc, time::Duration};

use reqwest::StatusCode;
use serde_json::json;
use tokio::time::sleep;

use super::http_client::{notification_url, post_json, without_query};
use crate::state::SandboxState;

/// The delay between two attempts to register the configured webhook.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Sends a test notification to a webhook, as banks do before they register it.
///
/// # Errors
/// When the response is not 200, or does not come.
pub(crate) async fn probe_webhook(state: &SandboxState, webhook: &str) -> Result<(), String> {
    let url = notification_url(webhook, state.config.append_pix);
    let body = json!({ "evento": "teste_webhook" }).to_string();
    match post_json(state.http.post(&url), &body).await {
        Ok(StatusCode::OK) => Ok(()),
        Ok(status) => Err(format!("{} returned {status}", without_query(&url))),
        Err(error) => Err(format!("{} did not respond: {error}", without_query(&url))),
    }
}

/// Registers a webhook for every Pix key, and retries until its server responds.
pub(crate) async fn register_configured_webhook(state: Arc<SandboxState>, webhook: String) {
    for key in &state.config.keys {
        let is_registered = || state.bank().webhook(key).is_some_and(|registered| registered.url == webhook);
        while !is_registered() {
            if let Err(error) = probe_webhook(&state, &webhook).await {
                tracing::info!(error, "webhook probe failed");
                sleep(RETRY_DELAY).await;
            } else if let Err(error) = state.bank().register_webhook(key, &webhook) {
                return tracing::error!(?error, "webhook not registered");
            }
        }
        tracing::info!(key, "webhook registered");
    }
}
