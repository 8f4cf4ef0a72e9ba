use std::time::Duration;

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{Caller, GivenRole, Site};

fn post(title: &str) -> Value {
    json!({ "title": title, "summary": "In short.", "body": "We **held** it.<script>alert(1)</script>" })
}

fn with(mut post: Value, field: &str, value: impl Into<Value>) -> Value {
    post[field] = value.into();
    post
}

async fn write(editor: &Caller, post: Value) -> Value {
    editor.post("/news/create", post).await.result()["post_id"].clone()
}

fn titles(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|post| post["title"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_written_edited_and_destroyed() {
    let site = Site::start().await;
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let created = editor.post("/news/create", post("Der Wall steht: größer!")).await;
    assert_eq!(created.status, 201);
    let saved = created.result();
    assert_eq!((&saved["slug"], &saved["version"]), (&json!("der-wall-steht-grosser"), &json!(1)));
    let id = saved["post_id"].clone();

    let found = site.nobody().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!(found["body"], "We **held** it.<script>alert(1)</script>");
    assert_eq!(found["body_html"], "<p>We <strong>held</strong> it.alert(1)</p>\n");
    assert_eq!(found["author"], "editor");
    site.nobody().get("/news/find/999").await.problem(404, "post_not_found");
    site.nobody().get("/news/find/x").await.invalid("id");

    let edit = editor
        .patch("/news/edit", json!({ "post_id": id, "title": "It stands", "expected_version": 1 }))
        .await;
    assert_eq!(edit.result()["version"], 2);
    let lost = json!({ "post_id": id, "title": "Late", "expected_version": 1 });
    editor.patch("/news/edit", lost).await.problem(409, "post_changed");
    editor.patch("/news/edit", json!({ "post_id": 999, "title": "X" })).await.problem(404, "post_not_found");
    let found = site.nobody().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!((&found["title"], &found["summary"]), (&json!("It stands"), &json!("In short.")));

    editor.delete(&format!("/news/destroy/{id}")).await.result();
    editor.delete(&format!("/news/destroy/{id}")).await.problem(404, "post_not_found");
    site.nobody().get(&format!("/news/find/{id}")).await.problem(404, "post_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_show_pinned_first_and_hide_what_is_hidden() {
    let site = Site::start().await;
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let at = |hours: i64| (Utc::now() - TimeDelta::hours(hours)).to_rfc3339();
    write(&editor, with(post("Old"), "published_at", at(3))).await;
    write(&editor, with(with(post("Pinned"), "published_at", at(9)), "pinned", true)).await;
    write(&editor, with(post("New"), "published_at", at(1))).await;
    let hidden = write(&editor, with(post("Hidden"), "hidden", true)).await;
    let later = write(&editor, with(post("Later"), "published_at", at(-1))).await;

    let list = site.nobody().get("/news/list/1/10").await.ok();
    assert_eq!(titles(&list), ["Pinned", "New", "Old"]);
    assert_eq!(titles(&site.nobody().get("/news/list/3/1").await.ok()), ["Old"]);
    for unseen in [hidden, later] {
        site.nobody().get(&format!("/news/find/{unseen}")).await.problem(404, "post_not_found");
        editor.get(&format!("/news/find/{unseen}")).await.ok();
    }
    let all = editor.get("/news/listDashboard/1/10").await.ok();
    assert_eq!(titles(&all), ["Pinned", "Later", "Hidden", "New", "Old"]);
    assert_eq!(titles(&editor.get("/news/listDashboard/2/3").await.ok()), ["New", "Old"]);
    for path in ["/news/list/0/10", "/news/list/1/101"] {
        site.nobody().get(path).await.problem(400, "invalid_request");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_post_appears_at_its_time() {
    let site = Site::start().await;
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let soon = (Utc::now() + TimeDelta::milliseconds(1500)).to_rfc3339();
    let id = write(&editor, with(post("Soon"), "published_at", soon)).await;
    assert_eq!(site.nobody().get("/news/list/1/10").await.ok()["total"], 0);
    site.nobody().get(&format!("/news/find/{id}")).await.problem(404, "post_not_found");
    let seen = async {
        while site.nobody().get("/news/list/1/10").await.ok()["total"] == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), seen).await.unwrap();
    site.nobody().get(&format!("/news/find/{id}")).await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_editors_write() {
    let site = Site::start().await;
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let id = write(&editor, post("Mine")).await;
    let merchant = site.with_role("merchant", GivenRole::Merchant).await;
    for (caller, status, code) in [
        (site.nobody(), 401, "unauthorized"),
        (site.player("player").await, 403, "role_missing"),
        (merchant, 403, "role_missing"),
    ] {
        caller.post("/news/create", post("X")).await.problem(status, code);
        caller.patch("/news/edit", json!({ "post_id": id, "title": "X" })).await.problem(status, code);
        caller.delete(&format!("/news/destroy/{id}")).await.problem(status, code);
        caller.get("/news/listDashboard/1/10").await.problem(status, code);
    }
    let admin = site.with_role("boss", GivenRole::Admin).await;
    admin.patch("/news/edit", json!({ "post_id": id, "pinned": true })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_posts_are_pointed_at() {
    let site = Site::start().await;
    let editor = site.with_role("editor", GivenRole::Editor).await;
    editor.post("/news/create", with(post("X"), "title", "")).await.invalid("/title");
    editor.post("/news/create", with(post("X"), "title", "x".repeat(151))).await.invalid("/title");
    editor.post("/news/create", with(post("X"), "body", "nul\u{0}")).await.invalid("/body");
    for time in ["tomorrow", "2030-01-31 12:00:00Z", "9999-12-31T23:59:59-23:59"] {
        editor.post("/news/create", with(post("X"), "published_at", time)).await.invalid("/published_at");
    }
    editor.post("/news/create", with(post("X"), "title", "  ")).await.invalid("/title");
    editor.post("/news/create", with(post("X"), "author", "me")).await.invalid("/author");
    editor.patch("/news/edit", json!({ "title": "X" })).await.invalid("/post_id");
    editor
        .patch("/news/edit", json!({ "post_id": 1, "expected_version": 0 }))
        .await
        .invalid("/expected_version");
    editor
        .post("/news/create", with(post("X"), "body", "x".repeat(1_100_000)))
        .await
        .problem(413, "body_too_large");
    site.finish().await;
}
