//! The outcomes of commands in their responses.

use anyhow::{Context, ensure};
use guildhall_testkit::http::Response;

/// Whether the response names an operation.
pub(crate) fn names_operation(response: &Response) -> bool {
    response.body["operation_id"].is_string()
}

/// Whether two final responses to one idempotency key have the same outcome. An operation that was polled has status 200, also when
/// the response to its request has 201.
pub(crate) fn have_same_outcome(first: &Response, second: &Response) -> bool {
    let is_same = |field: &str| first.body[field] == second.body[field];
    let are_successes = first.is_success() && second.is_success();
    (first.status == second.status || are_successes) && is_same("result") && is_same("code")
}

/// The response to a command, from the response of `GET /operations/{id}`. Status 202 while the operation is pending.
///
/// # Errors
/// When the operation is not found.
pub(crate) fn response_to_command(operation: Response) -> anyhow::Result<Response> {
    let Response { status, headers, body } = operation;
    ensure!(status == 200, "lost: the response for an accepted operation is {status} {body}");
    match body["status"].as_str() {
        Some("pending") => Ok(Response { status: 202, headers, body }),
        Some("refused") => {
            let mut problem = body["problem"].clone();
            problem["operation_id"] = body["operation_id"].clone();
            let status = problem["status"].as_u64().context("a problem without a status")?;
            Ok(Response { status: status.try_into()?, headers, body: problem })
        }
        _ => Ok(Response { status, headers, body }),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use serde_json::{Value, json};

    use super::*;

    fn response(status: u16, body: Value) -> Response {
        Response { status, headers: HeaderMap::new(), body }
    }

    #[test]
    fn outcomes_differ_by_result_code_and_status() {
        let created = response(201, json!({ "result": { "guild_id": 1 } }));
        let polled = response(200, json!({ "result": { "guild_id": 1 }, "status": "applied" }));
        let other = response(201, json!({ "result": { "guild_id": 2 } }));
        let refused = response(409, json!({ "code": "guild_name_taken" }));
        let otherwise = response(409, json!({ "code": "already_in_guild" }));
        assert!(have_same_outcome(&created, &polled));
        assert!(!have_same_outcome(&created, &other));
        assert!(!have_same_outcome(&created, &refused));
        assert!(!have_same_outcome(&refused, &otherwise));
    }
}
