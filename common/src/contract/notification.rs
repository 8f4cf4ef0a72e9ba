//! Notifications of payment providers, on their way from the webhook to the workers.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id_types;

/// The most levels of nested arrays and objects in a body. Workers parse 128, which includes the envelope; no bank needs ten.
const MAX_DEPTH: usize = 64;

id_types! {
    /// The id of a stored notification.
    NotificationId
}

/// The payment provider: it registers charges and reports receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Provider {
    /// A bank that offers the central bank's API Pix.
    ApiPix,
    /// A bank account without an API. Its owner's own program sends signed notifications.
    Manual,
}

impl Provider {
    /// The name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ApiPix => "api_pix",
            Self::Manual => "manual",
        }
    }
}

/// One notification, as the provider sent it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notification {
    /// The sender's id of the notification, if it has one. A repeated notification has the same id.
    pub id: Option<String>,
    pub body: Value,
}

/// Stores notifications of a provider and schedules their processing. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoreNotifications {
    pub provider: Provider,
    pub notifications: Vec<Notification>,
}

/// Processes a parked notification again. A command of the domain `payments`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayNotification {
    pub notification_id: NotificationId,
}

/// Notifications were stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotificationsStored {
    /// How many were new.
    pub kept: i64,
}

/// A notification will be processed again.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct NotificationReplayed {
    pub notification_id: NotificationId,
}

/// Why the body of a notification cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableNotification {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("must have at most {MAX_DEPTH} levels")]
    TooDeep,
    #[error("must be an array")]
    PixNotArray,
}

impl StoreNotifications {
    /// Reads the body of a webhook request: one notification with the sender's id, or a bank's list of transfers.
    /// An empty list gives None: banks send one to test the connection.
    ///
    /// # Errors
    /// The body is neither empty nor a JSON object, it is nested too deep, or its `pix` is not an array.
    pub fn read(
        provider: Provider,
        id: Option<String>,
        body: &[u8],
    ) -> Result<Option<Self>, UnreadableNotification> {
        let mut body: Map<String, Value> =
            if body.is_empty() { Map::new() } else { serde_json::from_slice(body)? };
        if 1 + body.values().map(depth).max().unwrap_or(0) > MAX_DEPTH {
            return Err(UnreadableNotification::TooDeep);
        }
        let notifications: Vec<_> = match provider {
            Provider::Manual => vec![Notification { id, body: Value::Object(body) }],
            Provider::ApiPix => match body.remove("pix") {
                None => vec![],
                Some(Value::Array(pix)) => pix.into_iter().map(Notification::of_pix).collect(),
                Some(_) => return Err(UnreadableNotification::PixNotArray),
            },
        };
        Ok((!notifications.is_empty()).then_some(Self { provider, notifications }))
    }
}

impl Notification {
    /// A bank's notification of a transfer. Fields about the payer are removed: they are not needed, so they are not stored.
    #[must_use]
    pub fn of_pix(mut body: Value) -> Self {
        const KEPT: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|name, _| KEPT.contains(&name.as_str()));
        }
        Self { id: None, body }
    }
}

impl UnreadableNotification {
    /// The place of the error as a JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> &'static str {
        match self {
            Self::Json(_) | Self::TooDeep => "",
            Self::PixNotArray => "/pix",
        }
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

crate::examples! {
    NotificationReplayed { "notification_id": 7 }
}
