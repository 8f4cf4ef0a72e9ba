//! The refusals of each operation, in the responses 403, 404 and 409.

use guildhall_common::contract::command::{Refusal, Refused};
use serde_json::{Value, json};

use super::walk::for_each_operation;
use crate::{
    http::{
        api_refusal::ApiRefusal,
        problem::{self, Problem},
        sent_command::COMMAND_HEADER,
    },
    openapi::refusals,
};

/// The security schemes of callers. Only callers have roles.
const CALLERS: [&str; 2] = ["bearerAuth", "serviceToken"];

/// Adds each refusal to the response with its status: a line of the description, and an example.
pub(super) fn add(document: &mut Value) {
    for_each_operation(document, |operation| {
        if requires_role(operation) {
            add_refusal(operation, &ApiRefusal::RoleMissing.refused());
        }
        if is_for_accounts(operation) {
            add_refusal(operation, &ApiRefusal::SecondFactorMissing.refused());
        }
        let command = take_command(operation);
        let operation_id = operation["operationId"].as_str().unwrap_or_default();
        for refused in refusals::of_operation(operation_id, command.as_deref()) {
            add_refusal(operation, &refused);
        }
    });
}

/// Removes the header that names the command of the operation.
fn take_command(operation: &mut Value) -> Option<String> {
    let responses = operation["responses"].as_object_mut()?;
    let mut command = None;
    for response in responses.values_mut().filter_map(Value::as_object_mut) {
        let Some(headers) = response.get_mut("headers").and_then(Value::as_object_mut) else { continue };
        if let Some(header) = headers.shift_remove(COMMAND_HEADER) {
            command = header["description"].as_str().map(ToOwned::to_owned);
        }
        if headers.is_empty() {
            response.shift_remove("headers");
        }
    }
    command
}

/// An empty alternative means that a token is optional.
fn requires_role(operation: &Value) -> bool {
    let mut schemes = operation["security"].as_array().into_iter().flatten().peekable();
    schemes.peek().is_some()
        && schemes.all(|scheme| CALLERS.iter().any(|caller| scheme.get(caller).is_some()))
}

/// Only accounts have a second factor.
fn is_for_accounts(operation: &Value) -> bool {
    requires_role(operation)
        && operation["security"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|scheme| scheme.get(CALLERS[0]).is_some())
}

fn add_refusal(operation: &mut Value, refused: &Refused) {
    let status = problem::status(refused.kind);
    let Some(response) = operation["responses"].get_mut(status.as_str()) else {
        return;
    };
    let content = &mut response["content"][problem::MEDIA_TYPE];
    let separator = if content.get("examples").is_none() { "\n\n" } else { "\n" };
    content["examples"][&refused.code] = json!({ "summary": refused.detail, "value": example(refused) });
    let description = response["description"].as_str().unwrap_or_default();
    response["description"] =
        format!("{description}{separator}- `{}`: {}", refused.code, refused.detail).into();
}

fn example(refused: &Refused) -> Value {
    let body = Problem::from(refused.clone()).body();
    let mut example = serde_json::to_value(body).unwrap_or_default();
    example["request_id"] = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".into();
    example
}
