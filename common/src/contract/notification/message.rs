//! One notification of a payment provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One notification, as the provider sent it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notification {
    /// The sender's id of the notification, if it has one. A repeated notification has the same id.
    pub id: Option<String>,
    pub body: Value,
}
