//! The final response to a request, and access to fields of JSON.

use anyhow::{Context, ensure};
use reqwest::StatusCode;
use serde_json::Value;

/// The final response: a success or a refusal. While an operation is pending its status is 202.
#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub body: Value,
}

impl Response {
    /// The code of a refusal. Empty for a success.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.status == StatusCode::ACCEPTED
    }

    pub(crate) fn names_operation(&self) -> bool {
        self.body["operation_id"].is_string()
    }

    /// Whether two responses to one idempotency key have the same outcome. A pending one has none yet.
    pub(crate) fn has_same_outcome(&self, other: &Self) -> bool {
        let is_same = |field: &str| self.body[field] == other.body[field];
        let is_pending = self.is_pending() || other.is_pending();
        is_pending || self.status == other.status && is_same("result") && is_same("code")
    }

    /// The response to a command, from the response of `GET /operations/{id}`. Status 202 while the operation is pending.
    ///
    /// # Errors
    /// When the operation is not found.
    pub(crate) fn from_operation(operation: Self) -> anyhow::Result<Self> {
        let Self { status, body } = operation;
        ensure!(status == StatusCode::OK, "lost: the response for an accepted operation is {status} {body}");
        match body["status"].as_str() {
            Some("pending") => Ok(Self { status: StatusCode::ACCEPTED, body }),
            Some("refused") => {
                let mut problem = body["problem"].clone();
                problem["operation_id"] = body["operation_id"].clone();
                let status = problem["status"].as_u64().context("a problem without a status")?;
                Ok(Self { status: u16::try_from(status)?.try_into()?, body: problem })
            }
            _ => Ok(Self { status, body }),
        }
    }
}

/// The items of a list.
///
/// # Errors
/// When the value is not a list.
pub(crate) fn items(list: &Value) -> anyhow::Result<&Vec<Value>> {
    list["items"].as_array().with_context(|| format!("wrong: {list} is not a list"))
}

/// The text in a JSON value.
///
/// # Errors
/// When the value is not a text.
pub(crate) fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().with_context(|| format!("{value} is not a text"))
}
