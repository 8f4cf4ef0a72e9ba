//! Operations, as the client of a command follows them.

use serde_json::Value;

use super::{client::Client, wait::wait_for};

/// The path of an operation.
pub(crate) fn operation_path(operation_id: &Value) -> String {
    format!("/operations/{}", operation_id.as_str().unwrap())
}

/// Waits until an operation is completed, and returns it.
pub(crate) async fn wait_until_completed(client: &Client, operation_id: &Value) -> Value {
    let path = operation_path(operation_id);
    wait_for(&format!("the operation is completed: {path}"), async || {
        let state = client.get(&path).await.ok();
        (state["status"] != "pending").then_some(state)
    })
    .await
}
