//! Each operation refuses bodies that could mean something else than it reads, and parameters that it does not have.

use serde_json::Value;

use super::{
    expectation::admitted,
    fixtures::Fixtures,
    matrix::{example, operations},
    policy::{Audience, policy},
};
use crate::support::{client::send, service::openapi_document};

/// The pointers of all parts of a value that are wanted, with the value itself.
fn pointers(value: &Value, pointer: &str, is_wanted: fn(&Value) -> bool) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => vec![],
    };
    let own = is_wanted(value).then(|| pointer.to_owned());
    let inner =
        parts.iter().flat_map(|(name, value)| pointers(value, &format!("{pointer}/{name}"), is_wanted));
    own.into_iter().chain(inner).collect()
}

/// The pointers of all texts in a value.
pub(super) fn texts(value: &Value) -> Vec<String> {
    pointers(value, "", Value::is_string)
}

/// serde reads an object also from an array of its values, in the order of the fields.
#[tokio::test(flavor = "multi_thread")]
async fn no_operation_reads_an_object_from_an_array() {
    let document = openapi_document();
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let mut tried = 0;
    for row in &policy() {
        let (method, path, operation) = operations[row.0.as_str()];
        let Some(example) = example(&document, operation) else { continue };
        // A provider may send any JSON. It is stored, and a worker reads it.
        if matches!(row.1, Audience::Banks) {
            continue;
        }
        let principal = admitted(row);
        for pointer in pointers(&example, "", Value::is_object) {
            let mut request = fixtures.request(&row.0, (method, path), Some(&example), principal).await;
            let object = request.body.as_mut().unwrap().pointer_mut(&pointer).unwrap();
            *object = object.as_object().unwrap().values().cloned().collect();
            let response = send(fixtures.build(request, principal)).await;
            assert_eq!(response.field_error(&pointer)["code"], "invalid_type", "{} {pointer}", row.0);
            tried += 1;
        }
    }
    assert!(tried > 80, "{tried}");
    fixtures.site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_operation_accepts_a_text_that_people_cannot_read() {
    let document = openapi_document();
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let mut tried = 0;
    for row in &policy() {
        let (method, path, operation) = operations[row.0.as_str()];
        let Some(example) = example(&document, operation) else { continue };
        if matches!(row.1, Audience::Banks) {
            continue;
        }
        let principal = admitted(row);
        for pointer in texts(&example) {
            for text in ["\u{200b}\u{2800} \u{3000}\u{feff}\u{2028}", "visible\u{ffff}"] {
                let mut request = fixtures.request(&row.0, (method, path), Some(&example), principal).await;
                *request.body.as_mut().unwrap().pointer_mut(&pointer).unwrap() = text.into();
                let response = send(fixtures.build(request, principal)).await;
                tried += 1;
                // A row of a game server is skipped with its reason. It may be wrong in another way.
                if response.status == 200
                    && ["game_upsert_characters", "game_report_deaths"].contains(&row.0.as_str())
                {
                    assert!(
                        !response.result()["skipped"].as_array().unwrap().is_empty(),
                        "{} {pointer}",
                        row.0
                    );
                    continue;
                }
                assert_eq!(response.field_error(&pointer)["code"], "invalid_format", "{} {pointer}", row.0);
            }
        }
    }
    assert!(tried > 150, "{tried}");
    fixtures.site.finish().await;
}

/// The operations whose addresses others extend: banks, and the programs that load pictures, feeds and pages.
pub(super) const OPEN_ADDRESSES: [&str; 9] = [
    "guild_card",
    "guild_logo",
    "guild_share",
    "news_feed",
    "news_share",
    "payment_qrcode_png",
    "payment_qrcode_svg",
    "payment_webhook",
    "payment_webhook_pix",
];

#[tokio::test(flavor = "multi_thread")]
async fn each_operation_refuses_parameters_that_it_does_not_have() {
    let document = openapi_document();
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let mut open = vec![];
    let policy = policy();
    for row in &policy {
        let id = row.0.as_str();
        let (method, path, operation) = operations[id];
        let principal = admitted(row);
        let example = example(&document, operation);
        let mut request = fixtures.request(id, (method, path), example.as_ref(), principal).await;
        request.path.push_str("?utm_source=forum");
        let response = send(fixtures.build(request, principal)).await;
        match response.status {
            400 => assert_eq!(response.field_error("utm_source")["code"], "unknown_field", "{id}"),
            _ => open.push(id),
        }
    }
    open.sort_unstable();
    assert_eq!(open, OPEN_ADDRESSES);
    fixtures.site.finish().await;
}
