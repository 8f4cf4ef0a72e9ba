//! A registered webhook.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The URL that gets the notifications of one Pix key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Webhook {
    #[serde(rename = "webhookUrl")]
    pub(crate) url: String,
    #[serde(rename = "chave")]
    pub(crate) key: String,
    #[serde(rename = "criacao")]
    pub(crate) created_at: DateTime<Utc>,
}
