//! The HTML of posts is stored.

use guildhall_common::contract::news::NewsCommand;
use http::Method;
use serde_json::{Value, json};

use super::samples::{create, post};
use crate::support::{client::send, community::StaffRole, site::Site, wait::wait_until};

const HTML: &str = "<p>We <strong>held</strong> it.alert(1)</p>\n";

/// Posts of version 0.3.0 have no HTML, and those of another version have that of their renderer.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_renders_posts_without_html_or_with_that_of_an_older_renderer() {
    let mut site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let (old, missing) = (create(&editor, post("Old")).await, create(&editor, post("Missing")).await);
    site.stop_workers().await;
    site.execute(&format!(
        "update rendered_posts set renderer = 0, html = '<p>Old.</p>' where post_id = {old}"
    ))
    .await;
    site.execute(&format!("delete from rendered_posts where post_id = {missing}")).await;
    let listed = async |limit: i32| {
        let list = site.visitor().get(&format!("/news/list/1/{limit}?body=true")).await.ok();
        [0, 1].map(|index| list["items"][index]["body_html"].as_str().unwrap().to_owned())
    };
    // Nothing renders a text for a list.
    let [unformatted, former] = listed(2).await;
    assert!(unformatted.contains("**held**") && !unformatted.contains("<script"), "{unformatted}");
    assert_eq!(former, "<p>Old.</p>");
    site.execute("update jobs set due_at = now() where job->>'name' = 'render_posts'").await;
    let visitor = site.visitor();
    site.start_workers();
    let is_rendered = async || {
        let list = visitor.get("/news/list/1/2?body=true").await.ok();
        [0, 1].iter().all(|index| list["items"][index]["body_html"] == HTML)
    };
    wait_until("both posts are rendered", is_rendered).await;
    for id in [&old, &missing] {
        assert_eq!(site.visitor().get(&format!("/news/find/{id}")).await.ok()["body_html"], HTML);
    }
    site.finish().await;
}

/// An api of version 0.3.0 sends no HTML.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_replaces_the_html_also_without_its_own() {
    let mut site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let id = create(&editor, post("Wall")).await;
    let stored = format!("select count(*) from rendered_posts where post_id = {id} and html like '%lost%'");
    editor.patch("/news/edit", json!({ "post_id": id, "body": "We **lost** it." })).await.result();
    assert_eq!(site.count(&stored).await, 1);
    editor.patch("/news/edit", json!({ "post_id": id, "title": "The wall" })).await.result();
    assert_eq!(site.count(&stored).await, 1);
    site.stop_workers().await;
    let request = editor.request(Method::PATCH, "/news/edit").header("Prefer", "respond-async");
    let edit = json!({ "post_id": id, "body": "We **won**." });
    assert_eq!(send(request.json(&edit)).await.status, 202);
    let mut message: Value = serde_json::from_slice(&site.take_command::<NewsCommand>().await).unwrap();
    assert!(message["command"]["body"].as_object_mut().unwrap().remove("rendered").is_some(), "{message}");
    site.publish_command::<NewsCommand>(message.to_string().into()).await;
    site.start_workers();
    let edited = format!("select count(*) from posts where post_id = {id} and version = 4");
    wait_until("the post is edited", async || site.count(&edited).await == 1).await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'render_posts'").await;
    let path = format!("/news/find/{id}");
    let html = "<p>We <strong>won</strong>.</p>\n";
    wait_until("the job renders it", async || site.visitor().get(&path).await.ok()["body_html"] == html)
        .await;
    site.finish().await;
}
