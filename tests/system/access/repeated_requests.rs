//! A request that is repeated with its `Idempotency-Key` is one operation.

use serde_json::Value;

use super::{
    expectation::admitted,
    fixtures::Fixtures,
    matrix::{example, operations},
    policy::policy,
};
use crate::support::{client::send_again, service::openapi_document, wait::wait_until};

fn has_idempotency_key(operation: &Value) -> bool {
    let mut parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.any(|parameter| parameter["name"] == "Idempotency-Key")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_operation_that_documents_an_idempotency_key_reads_it() {
    let document = openapi_document();
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let (mut wrong, mut without_command) = (vec![], vec![]);
    let policy = policy();
    for row in &policy {
        let id = row.0.as_str();
        let (method, path, operation) = operations[id];
        if !has_idempotency_key(operation) {
            continue;
        }
        let principal = admitted(row);
        let example = example(&document, operation);
        let request = fixtures.request(id, (method, path), example.as_ref(), principal).await;
        let request = fixtures.build(request, principal).header("Idempotency-Key", id);
        let (first, second) = (send_again(&request).await, send_again(&request).await);
        match (&first.body["operation_id"], &second.body["operation_id"]) {
            (Value::Null, Value::Null) if first.status >= 400 => without_command.push(id),
            (Value::String(first), Value::String(second)) if first == second => {}
            // The api does not wait for the worker, which finds the first request.
            (Value::String(first), Value::String(repeated)) if second.status == 202 => {
                let repeats = format!(
                    "select count(*) from operations where operation_id = '{repeated}' and repeats = '{first}'"
                );
                let condition = format!("{id} is one operation");
                wait_until(&condition, async || fixtures.site.count(&repeats).await == 1).await;
            }
            // The first request has ended the session.
            (Value::String(_), Value::Null) if id == "auth_log_out" => assert_eq!(second.status, 401),
            _ => wrong.push(format!("{id}: {:?}, then {:?}", first.body, second.body)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The api refuses an invented token or code before it sends a command.
    assert_eq!(without_command, ["account_reset_password", "account_verify_email_code"]);
    fixtures.site.finish().await;
}
