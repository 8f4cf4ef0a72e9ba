//! Requests with a known response: changes that must succeed or be refused, and reads that must show a change.

use anyhow::{bail, ensure};
use guildhall_testkit::http::Response;
use http::Method;
use serde_json::Value;

use crate::client::RetryingClient;

/// The share of changes that are sent twice at the same time.
const SENT_TWICE: f64 = 1.0 / 16.0;

/// The expected response to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Success,
    /// A refusal with this code.
    Refusal(&'static str),
}

/// Sends a change and returns its result, or null for a refusal.
///
/// # Errors
/// When the response is not the expected one.
pub(super) async fn change(
    client: &RetryingClient,
    method: Method,
    path: &str,
    body: Value,
    expected: Expected,
) -> anyhow::Result<Value> {
    let sent = match rand::random_bool(SENT_TWICE) {
        true => client.send_twice(method.clone(), path, &body).await,
        false => client.send(method.clone(), path, &body).await,
    };
    let response = sent?;
    match expected {
        Expected::Success if response.is_success() => Ok(response.body["result"].clone()),
        Expected::Refusal(code) if !response.is_success() && response.code() == code => Ok(Value::Null),
        _ => bail!(
            "wrong: {method} {path} {body} must be {expected:?}, but the response is {} {}",
            response.status,
            response.body
        ),
    }
}

/// A POST: the client, the path and the body.
pub(super) type PostRequest<'a> = (&'a RetryingClient, &'a str, Value);

/// Sends two POSTs at the same time. One must succeed and the other be refused with this code. Returns the index and the
/// result of the first kind.
///
/// # Errors
/// When both have the same response, or one has an unexpected response.
pub(super) async fn race(
    first: PostRequest<'_>,
    second: PostRequest<'_>,
    code: &str,
) -> anyhow::Result<(usize, Value)> {
    let send = async |(client, path, body): &PostRequest<'_>| client.send(Method::POST, path, body).await;
    let (one, two) = tokio::join!(send(&first), send(&second));
    let (one, two) = (one?, two?);
    let is_expected = |winner: &Response, loser: &Response| winner.is_success() && loser.code() == code;
    match (is_expected(&one, &two), is_expected(&two, &one)) {
        (true, _) => Ok((0, one.body["result"].clone())),
        (_, true) => Ok((1, two.body["result"].clone())),
        _ => bail!(
            "duplicated: of {} {} and {} {} one must succeed and one be refused with {code}, but the responses are {one:?} and {two:?}",
            first.1,
            first.2,
            second.1,
            second.2
        ),
    }
}

/// Reads a path and compares the known fields. Returns all fields.
///
/// # Errors
/// When a field has another value, or the response is not 200.
pub(super) async fn must_show(
    client: &RetryingClient,
    path: &str,
    expected: &Value,
) -> anyhow::Result<Value> {
    let Response { status, body, .. } = client.send(Method::GET, path, &Value::Null).await?;
    ensure!(status == 200, "stale: {path} must show {expected}, but the response is {status} {body}");
    for (field, value) in expected.as_object().into_iter().flatten() {
        ensure!(
            body[field] == *value,
            "stale: {path} must show {field} {value}, but shows {}: {body}",
            body[field]
        );
    }
    Ok(body)
}

/// Reads a path that must respond with 404.
///
/// # Errors
/// When the response is another one.
pub(super) async fn must_be_gone(client: &RetryingClient, path: &str) -> anyhow::Result<()> {
    let Response { status, body, .. } = client.send(Method::GET, path, &Value::Null).await?;
    ensure!(status == 404, "stale: {path} must be gone, but the response is {status} {body}");
    Ok(())
}
