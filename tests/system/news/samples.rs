//! Bodies of posts.

use serde_json::{Value, json};

use crate::support::client::Client;

pub(super) fn post(title: &str) -> Value {
    json!({ "title": title, "summary": "In short.", "body": "We **held** it.<script>alert(1)</script>" })
}

pub(super) fn with_field(mut post: Value, field: &str, value: impl Into<Value>) -> Value {
    post[field] = value.into();
    post
}

pub(super) async fn create(editor: &Client, post: Value) -> Value {
    editor.post("/news/create", post).await.result()["post_id"].clone()
}

pub(super) fn titles(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|post| post["title"].as_str().unwrap()).collect()
}
