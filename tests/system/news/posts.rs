//! Writing, editing, listing and deleting posts.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use super::samples::{create, post, titles, with_field};
use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_created_edited_and_deleted() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let created = editor.post("/news/create", post("Der Wall steht: größer!")).await;
    assert_eq!(created.status, 201);
    let saved = created.result();
    assert_eq!((&saved["slug"], &saved["version"]), (&json!("der-wall-steht-grosser"), &json!(1)));
    let id = saved["post_id"].clone();

    let found = site.visitor().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!(found["body"], "We **held** it.<script>alert(1)</script>");
    assert_eq!(found["body_html"], "<p>We <strong>held</strong> it.alert(1)</p>\n");
    assert_eq!(found["author"], "editor");
    site.visitor().get("/news/find/999").await.problem(404, "post_not_found");
    site.visitor().get("/news/find/x").await.invalid("id");

    let edit = editor
        .patch("/news/edit", json!({ "post_id": id, "title": "The wall holds", "expected_version": 1 }))
        .await;
    assert_eq!(edit.result()["version"], 2);
    let lost = json!({ "post_id": id, "title": "Late", "expected_version": 1 });
    editor.patch("/news/edit", lost).await.problem(409, "post_changed");
    editor.patch("/news/edit", json!({ "post_id": 999, "title": "X" })).await.problem(404, "post_not_found");
    let found = site.visitor().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!((&found["title"], &found["summary"]), (&json!("The wall holds"), &json!("In short.")));

    editor.delete(&format!("/news/destroy/{id}")).await.result();
    editor.delete(&format!("/news/destroy/{id}")).await.problem(404, "post_not_found");
    site.visitor().get(&format!("/news/find/{id}")).await.problem(404, "post_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_show_pinned_posts_first_and_omit_hidden_posts() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let at = |hours: i64| (Utc::now() - TimeDelta::hours(hours)).to_rfc3339();
    create(&editor, with_field(post("Old"), "published_at", at(3))).await;
    create(&editor, with_field(with_field(post("Pinned"), "published_at", at(9)), "pinned", true)).await;
    create(&editor, with_field(post("New"), "published_at", at(1))).await;
    let hidden = create(&editor, with_field(post("Hidden"), "hidden", true)).await;
    let later = create(&editor, with_field(post("Later"), "published_at", at(-1))).await;

    let list = site.visitor().get("/news/list/1/10").await.ok();
    assert_eq!(titles(&list), ["Pinned", "New", "Old"]);
    assert_eq!(titles(&site.visitor().get("/news/list/3/1").await.ok()), ["Old"]);
    for unseen in [hidden, later] {
        site.visitor().get(&format!("/news/find/{unseen}")).await.problem(404, "post_not_found");
        editor.get(&format!("/news/find/{unseen}")).await.ok();
    }
    let all = editor.get("/news/listDashboard/1/10").await.ok();
    assert_eq!(titles(&all), ["Pinned", "Later", "Hidden", "New", "Old"]);
    assert_eq!(titles(&editor.get("/news/listDashboard/2/3").await.ok()), ["New", "Old"]);
    for path in ["/news/list/0/10", "/news/list/1/101"] {
        site.visitor().get(path).await.problem(400, "invalid_request");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_editors_change_posts() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let id = create(&editor, post("Mine")).await;
    let merchant = site.player_with_role("merchant", StaffRole::Merchant).await;
    for (client, status, code) in [
        (site.visitor(), 401, "unauthorized"),
        (site.player("player").await, 403, "role_missing"),
        (merchant, 403, "role_missing"),
    ] {
        client.post("/news/create", post("X")).await.problem(status, code);
        client.patch("/news/edit", json!({ "post_id": id, "title": "X" })).await.problem(status, code);
        client.delete(&format!("/news/destroy/{id}")).await.problem(status, code);
        client.get("/news/listDashboard/1/10").await.problem(status, code);
    }
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    admin.patch("/news/edit", json!({ "post_id": id, "pinned": true })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_post_names_the_field() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    editor.post("/news/create", with_field(post("X"), "title", "")).await.invalid("/title");
    editor.post("/news/create", with_field(post("X"), "title", "x".repeat(151))).await.invalid("/title");
    editor.post("/news/create", with_field(post("X"), "body", "nul\u{0}")).await.invalid("/body");
    for time in ["tomorrow", "2030-01-31 12:00:00Z", "9999-12-31T23:59:59-23:59"] {
        editor
            .post("/news/create", with_field(post("X"), "published_at", time))
            .await
            .invalid("/published_at");
    }
    editor.post("/news/create", with_field(post("X"), "title", "  ")).await.invalid("/title");
    editor.post("/news/create", with_field(post("X"), "author", "me")).await.invalid("/author");
    editor.patch("/news/edit", json!({ "title": "X" })).await.invalid("/post_id");
    editor
        .patch("/news/edit", json!({ "post_id": 1, "expected_version": 0 }))
        .await
        .invalid("/expected_version");
    editor
        .post("/news/create", with_field(post("X"), "body", "x".repeat(1_100_000)))
        .await
        .problem(413, "body_too_large");
    site.finish().await;
}

/// A form in JavaScript sends null for an empty field.
#[tokio::test(flavor = "multi_thread")]
async fn a_missing_summary_is_the_beginning_of_the_text() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let post = json!({
        "title": "The wall", "body": "# News\n\nWe **held** it.\n\nMore.", "summary": null, "pinned": null,
        "published_at": null
    });
    let id = editor.post("/news/create", post).await.result()["post_id"].clone();
    let found = site.visitor().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!((&found["summary"], &found["pinned"]), (&json!("We held it."), &json!(false)));
    editor.patch("/news/edit", json!({ "post_id": id, "summary": "", "title": null })).await.result();
    let found = site.visitor().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!((&found["summary"], &found["title"]), (&json!(""), &json!("The wall")));
    editor.post("/news/create", json!({ "title": null, "body": "Text." })).await.invalid("/title");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_derived_summary_follows_the_text_until_an_editor_writes_one() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let derived = json!({ "title": "The wall", "body": "We **held** it.\n\nMore." });
    let derived = editor.post("/news/create", derived).await.result()["post_id"].clone();
    let written = create(&editor, post("The gate")).await;
    let edit = async |id: &Value, fields: Value| {
        let mut body = json!({ "post_id": id });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        editor.patch("/news/edit", body).await.result();
        site.visitor().get(&format!("/news/find/{id}")).await.ok()["summary"].clone()
    };
    assert_eq!(edit(&derived, json!({ "body": "We **lost** it." })).await, "We lost it.");
    assert_eq!(edit(&derived, json!({ "title": "The walls" })).await, "We lost it.");
    assert_eq!(edit(&written, json!({ "body": "We **lost** it." })).await, "In short.");
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let entries = boss.get("/admin/audit?action=news.edit").await.ok();
    let changes = entries["items"][2]["changes"].as_array().unwrap().iter();
    let mut fields: Vec<_> = changes.map(|change| change["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["body", "summary", "version"]);

    let own = json!({ "summary": "The end.", "body": "We **fled**." });
    assert_eq!(edit(&derived, own).await, "The end.");
    assert_eq!(edit(&derived, json!({ "body": "We **returned**." })).await, "The end.");
    // An empty summary is one, too.
    let empty = json!({ "title": "The keep", "summary": "", "body": "We **held** it." });
    let empty = editor.post("/news/create", empty).await.result()["post_id"].clone();
    assert_eq!(edit(&empty, json!({ "body": "We **lost** it." })).await, "");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_front_page_is_one_request() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    for title in ["First", "Second", "Third"] {
        create(&editor, post(title)).await;
    }
    let list = site.visitor().get("/news/list/1/2?body=true").await;
    assert!(list.header("link").contains("/news/list/2/2?body=true"), "{}", list.header("link"));
    let list = list.ok();
    for post in list["items"].as_array().unwrap() {
        assert_eq!(post["body_html"], "<p>We <strong>held</strong> it.alert(1)</p>\n");
        assert_eq!(post["body"], "We **held** it.<script>alert(1)</script>");
    }
    assert_eq!(list["total"], 3);
    let list = site.visitor().get("/news/list/1/2").await.ok();
    assert!(list["items"][0].get("body").is_none() && list["items"][0].get("body_html").is_none());
    site.visitor().get("/news/list/1/21?body=true").await.invalid("limit");
    site.visitor().get("/news/list/1/21").await.ok();
    site.finish().await;
}
