//! What providers tell of payments, on its way from the webhook to the workers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Provider;

/// Levels of lists and objects in a body, at most. Workers read 128, the envelope's own included; no bank needs ten.
const DEEPEST: usize = 64;

/// Something that a provider told, as it told it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notification {
    /// The sender's own name of it, if it has one: a repetition has the same.
    pub id: Option<String>,
    pub body: Value,
}

/// Look into what a provider told.
#[derive(Debug, Serialize, Deserialize)]
pub struct Notify {
    pub provider: Provider,
    pub notifications: Vec<Notification>,
}

/// Why a body tells nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("must have at most {DEEPEST} levels")]
    Deep,
    #[error("must be an array")]
    Pix,
}

impl Notify {
    /// Reads what a provider sent: one notification with the sender's name of it, or a bank's list of transfers. None
    /// if that is empty, as when a bank tries whether anybody answers.
    ///
    /// # Errors
    /// The body is neither empty nor a JSON object, it is nested too deep, or its `pix` is no list.
    pub fn read(provider: Provider, id: Option<String>, body: &[u8]) -> Result<Option<Self>, Unreadable> {
        let mut body: Map<String, Value> =
            if body.is_empty() { Map::new() } else { serde_json::from_slice(body)? };
        if 1 + body.values().map(levels).max().unwrap_or(0) > DEEPEST {
            return Err(Unreadable::Deep);
        }
        let notifications: Vec<_> = match provider {
            Provider::Manual => vec![Notification { id, body: Value::Object(body) }],
            Provider::ApiPix => match body.remove("pix") {
                None => vec![],
                Some(Value::Array(pix)) => pix.into_iter().map(Notification::of_pix).collect(),
                Some(_) => return Err(Unreadable::Pix),
            },
        };
        Ok((!notifications.is_empty()).then_some(Self { provider, notifications }))
    }
}

impl Notification {
    /// What a bank tells of a transfer, without what concerns the payer: it is not needed, and so not kept.
    #[must_use]
    pub fn of_pix(mut body: Value) -> Self {
        const KEPT: [&str; 6] = ["endToEndId", "txid", "chave", "valor", "horario", "devolucoes"];
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|name, _| KEPT.contains(&name.as_str()));
        }
        Self { id: None, body }
    }
}

impl Unreadable {
    /// Where, as a JSON pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> &'static str {
        match self {
            Self::Json(_) | Self::Deep => "",
            Self::Pix => "/pix",
        }
    }
}

fn levels(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}
