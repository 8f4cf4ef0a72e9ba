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

    /// Whether two final responses to one idempotency key have the same outcome. An operation that was polled has status 200, also when
    /// the response to its request has 201.
    pub(crate) fn has_same_outcome(&self, other: &Self) -> bool {
        let is_same = |field: &str| self.body[field] == other.body[field];
        let are_successes = self.status.is_success() && other.status.is_success();
        (self.status == other.status || are_successes) && is_same("result") && is_same("code")
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn response(status: StatusCode, body: Value) -> Response {
        Response { status, body }
    }

    #[test]
    fn outcomes_differ_by_result_code_and_status() {
        let created = response(StatusCode::CREATED, json!({ "result": { "guild_id": 1 } }));
        let polled = response(StatusCode::OK, json!({ "result": { "guild_id": 1 }, "status": "applied" }));
        let other = response(StatusCode::CREATED, json!({ "result": { "guild_id": 2 } }));
        let refused = response(StatusCode::CONFLICT, json!({ "code": "guild_name_taken" }));
        let otherwise = response(StatusCode::CONFLICT, json!({ "code": "already_in_guild" }));
        assert!(created.has_same_outcome(&polled));
        assert!(!created.has_same_outcome(&other));
        assert!(!created.has_same_outcome(&refused));
        assert!(!refused.has_same_outcome(&otherwise));
    }
}
