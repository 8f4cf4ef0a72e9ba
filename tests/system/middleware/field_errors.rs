//! The errors of single fields have a code and parameters for programs.

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    client::{Client, send},
    community::StaffRole,
    service::openapi_document,
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_a_body_names_the_rule_of_the_field() {
    let site = Site::start().await;
    let (visitor, mira) = (site.visitor(), site.player("mira").await);
    let path = "/guild/create-guild";
    for (body, pointer, code, parameters) in [
        (json!({}), "/name", "required", Value::Null),
        (json!({ "name": "x" }), "/name", "too_short", json!({ "minimum": 3, "maximum": 30 })),
        (json!({ "name": "x".repeat(31) }), "/name", "too_long", json!({ "minimum": 3, "maximum": 30 })),
        (
            json!({ "name": "Night Watch", "motto": "x" }),
            "/motto",
            "unknown_field",
            json!({ "choices": ["name", "character_id", "character_name"] }),
        ),
        (json!({ "name": 7 }), "/name", "invalid_type", json!({ "expected": "string" })),
        (
            json!({ "name": "Night Watch", "character_id": 0 }),
            "/character_id",
            "out_of_range",
            json!({ "minimum": 1 }),
        ),
        (
            json!({ "name": "Night Watch" }),
            "/character_name",
            "exactly_one_of",
            json!({ "fields": ["character_id", "character_name"] }),
        ),
    ] {
        mira.post(path, body).await.invalid_field(pointer, code, &parameters);
    }
    let year_10000 =
        json!({ "title": "Soon", "summary": "", "body": "Text.", "published_at": "9999-12-31T23:59:60Z" });
    let time = json!({ "format": "date_time" });
    let editor = site.player_with_role("nora", StaffRole::Editor).await;
    editor.post("/news/create", year_10000).await.invalid_field("/published_at", "invalid_format", &time);
    let rank = json!({ "guild_id": 1, "character_id": 1, "rank": "king" });
    let ranks = json!({ "choices": ["member", "vice_leader"] });
    mira.post("/guild/change-rank", rank).await.invalid_field("/rank", "invalid_choice", &ranks);
    let name = mira.post(path, json!({ "name": "Night_Watch" })).await.field_error("/name");
    assert_eq!((&name["code"], name["parameters"]["pattern"].is_string()), (&json!("invalid_format"), true));
    let account = json!({ "name": "alda", "email": "alda@example.org", "password": "qwertyuiop" });
    let weak = json!({ "weakness": "common_password" });
    visitor.post("/accounts/register", account).await.invalid_field("/password", "easy_to_guess", &weak);
    let broken = mira.request(Method::POST, path).header("content-type", "application/json").body("{");
    send(broken).await.invalid_field("", "invalid_format", &json!({ "format": "json" }));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_a_parameter_names_its_rule() {
    let site = Site::start().await;
    let (visitor, staff) = (site.visitor(), site.player_with_role("alda", StaffRole::Admin).await);
    let refused = async |client: &Client, path: &str| client.get(path).await;
    let limits = json!({ "minimum": 1, "maximum": 100 });
    refused(&visitor, "/guilds/1/101").await.invalid_field("limit", "out_of_range", &limits);
    refused(&visitor, "/guilds/one/20").await.invalid_field(
        "page",
        "invalid_type",
        &json!({ "expected": "integer" }),
    );
    refused(&visitor, "/guild/view/x").await.invalid_field(
        "name",
        "too_short",
        &json!({ "minimum": 3, "maximum": 30 }),
    );
    refused(&visitor, "/operations/x").await.invalid_field(
        "id",
        "invalid_format",
        &json!({ "format": "uuid" }),
    );
    refused(&visitor, "/news/list/1/21?body=true").await.invalid_field(
        "limit",
        "out_of_range",
        &json!({ "minimum": 1, "maximum": 20 }),
    );
    refused(&visitor, "/news/list/1/20?body=yes").await.invalid_field(
        "body",
        "invalid_type",
        &json!({ "expected": "boolean" }),
    );
    refused(&visitor, "/guilds/1/20?sort=oldest").await.invalid_field(
        "sort",
        "invalid_choice",
        &json!({ "choices": ["name", "newest", "members"] }),
    );
    refused(&visitor, "/guilds/501/20").await.invalid_field(
        "page",
        "out_of_range",
        &json!({ "minimum": 1, "maximum": 500 }),
    );
    refused(&visitor, "/guilds/1/20?after=AAAA").await.invalid_field(
        "after",
        "invalid_format",
        &json!({ "format": "cursor" }),
    );
    refused(&staff, "/admin/audit?limit=0").await.invalid_field("limit", "out_of_range", &limits);
    refused(&staff, "/admin/audit?since=today").await.invalid_field(
        "since",
        "invalid_format",
        &json!({ "format": "date_time" }),
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_a_header_names_its_rule() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let with_keys = async |keys: &[&str]| {
        let request = mira.request(Method::POST, "/guild/delete").json(&json!({ "guild_id": 1 }));
        send(keys.iter().fold(request, |request, key| request.header("Idempotency-Key", *key))).await
    };
    let limits = json!({ "minimum": 1, "maximum": 255 });
    with_keys(&[&"k".repeat(256)]).await.invalid_field("Idempotency-Key", "too_long", &limits);
    with_keys(&["a", "b"]).await.invalid_field("Idempotency-Key", "duplicate_field", &Value::Null);
    let pattern = json!({ "pattern": "^[ -~]+$" });
    with_keys(&["clé"]).await.invalid_field("Idempotency-Key", "invalid_format", &pattern);
    let account = json!({ "name": "alda", "email": "alda@example.org", "password": "amber lantern harbour" });
    let register = site.visitor().request(Method::POST, "/accounts/register").json(&account);
    let limits = json!({ "minimum": 1, "maximum": 8192 });
    send(register.header("Captcha", "A".repeat(8193))).await.invalid_field("Captcha", "too_long", &limits);
    site.finish().await;
}

#[test]
fn the_document_has_a_closed_list_of_codes() {
    let document = openapi_document();
    let codes = document["components"]["schemas"]["FieldErrorCode"]["enum"].as_array().unwrap().clone();
    let description = document["components"]["schemas"]["FieldErrorCode"]["description"].as_str().unwrap();
    for code in &codes {
        assert!(description.contains(&format!("`{}`", code.as_str().unwrap())), "{code} is not explained");
    }
    assert_eq!(
        document["components"]["schemas"]["FieldError"]["required"],
        json!(["pointer", "code", "detail"])
    );
}
