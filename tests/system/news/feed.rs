//! The feed of the news, the preview of a draft, and the link preview of a post.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::samples::{create, post, with_field};
use crate::support::{
    client::Response, community::StaffRole, options::Options, site::Site, wait::wait_until,
};

const ATOM: &str = "http://www.w3.org/2005/Atom";

/// The text of the response. A strict parser has accepted it.
#[track_caller]
fn feed_of(response: Response) -> String {
    assert_eq!((response.status, response.header("content-type")), (200, "application/atom+xml"));
    let feed = response.body.as_str().unwrap().to_owned();
    let document = Document::parse(&feed).unwrap_or_else(|error| panic!("{error}: {feed}"));
    assert_valid(document.root_element());
    feed
}

fn child<'a>(parent: Node<'a, '_>, name: &str) -> &'a str {
    let mut found = parent.children().filter(|child| child.has_tag_name((ATOM, name)));
    let text = found.next().unwrap_or_else(|| panic!("no {name}")).text().unwrap_or_default();
    assert!(found.next().is_none(), "two elements {name}");
    text
}

fn time(parent: Node, name: &str) -> DateTime<Utc> {
    child(parent, name).parse().unwrap()
}

fn entries<'a, 'd>(feed: &'a Document<'d>) -> Vec<Node<'a, 'd>> {
    feed.root_element().children().filter(|child| child.has_tag_name((ATOM, "entry"))).collect()
}

/// The required elements of RFC 4287, sections 4.1.1 and 4.1.2.
fn assert_valid(feed: Node) {
    assert!(feed.has_tag_name((ATOM, "feed")));
    assert_eq!((child(feed, "id"), child(feed, "title")), ("https://www.site.example/news", "Night Watch"));
    let own = feed.children().find(|child| child.attribute("rel") == Some("self")).unwrap();
    assert_eq!(own.attribute("href"), Some("https://www.site.example/api/news/feed.atom"));
    let mut latest = DateTime::UNIX_EPOCH;
    let mut updates = HashSet::new();
    for entry in feed.children().filter(|child| child.has_tag_name((ATOM, "entry"))) {
        let link = entry.children().find(|child| child.has_tag_name((ATOM, "link"))).unwrap();
        assert_eq!(
            (link.attribute("rel"), link.attribute("href")),
            (Some("alternate"), Some(child(entry, "id")))
        );
        assert!(time(entry, "updated") >= time(entry, "published"));
        assert!(updates.insert(time(entry, "updated")), "two entries have the same time");
        let author = entry.children().find(|child| child.has_tag_name((ATOM, "author"))).unwrap();
        assert_eq!(child(author, "name"), "editor");
        latest = latest.max(time(entry, "updated"));
    }
    assert_eq!(time(feed, "updated"), latest);
}

fn titles(feed: &str) -> Vec<String> {
    let feed = Document::parse(feed).unwrap();
    entries(&feed).into_iter().map(|entry| child(entry, "title").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_has_the_newest_visible_posts() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let read = async || feed_of(site.visitor().get("/news/feed.atom").await);
    assert_eq!(titles(&read().await), [""; 0]);
    let at = |hours: i64| (Utc::now() - TimeDelta::hours(hours)).to_rfc3339();
    for hours in 3..24 {
        create(&editor, with_field(post(&format!("Post {hours}")), "published_at", at(hours))).await;
    }
    create(&editor, with_field(with_field(post("Pinned"), "published_at", at(2)), "pinned", true)).await;
    create(&editor, with_field(post("Hidden"), "hidden", true)).await;
    create(&editor, with_field(post("Later"), "published_at", at(-1))).await;
    site.execute("update posts set updated_at = now()").await;
    let newest = create(&editor, post("Newest")).await;
    let feed = read().await;
    let titles_before = titles(&feed);
    assert_eq!(
        (titles_before.len(), &titles_before[..3]),
        (20, &["Newest", "Pinned", "Post 3"].map(str::to_owned)[..])
    );

    let document = Document::parse(&feed).unwrap();
    let first = entries(&document)[0];
    assert_eq!(child(first, "id"), format!("https://www.site.example/news/{newest}"));
    assert_eq!(child(first, "summary"), "In short.");
    assert_eq!(child(first, "content"), "<p>We <strong>held</strong> it.alert(1)</p>\n");
    let (published, updated) = (time(first, "published"), time(first, "updated"));

    // An edit changes the time of the update, and neither the id nor the time of the publication.
    editor.patch("/news/edit", json!({ "post_id": newest, "title": "Edited" })).await.result();
    let feed = read().await;
    let document = Document::parse(&feed).unwrap();
    let first = entries(&document)[0];
    assert_eq!((child(first, "title"), time(first, "published")), ("Edited", published));
    assert!(time(first, "updated") > updated);
    assert_eq!(child(first, "id"), format!("https://www.site.example/news/{newest}"));
    editor.delete(&format!("/news/destroy/{newest}")).await.result();
    assert_eq!(titles(&read().await)[0], "Pinned");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_feed_is_not_sent_again() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    create(&editor, post("First")).await;
    let feed = site.visitor().get("/news/feed.atom").await;
    assert_eq!(feed.header("cache-control"), "public, no-cache");
    let again = async || {
        let request = site.visitor().request(http::Method::GET, "/news/feed.atom");
        crate::support::client::send(request.header("If-None-Match", feed.header("etag"))).await
    };
    assert_eq!(again().await.status, 304);
    create(&editor, post("Second")).await;
    assert_eq!(titles(&feed_of(again().await)), ["Second", "First"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_post_is_in_the_feed_from_its_time_on() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let at = Utc::now() + TimeDelta::seconds(3);
    let read = async || titles(&feed_of(site.visitor().get("/news/feed.atom").await));
    assert_eq!(read().await, [""; 0]);
    create(&editor, with_field(post("Soon"), "published_at", at.to_rfc3339())).await;
    // The post was written before its time, and its update is not: `feed_of` compares them. The first read fills the cache.
    wait_until("the post is in the feed", async || read().await == ["Soon"]).await;
    assert!(Utc::now() >= at);
    site.finish().await;
}

/// Titles and texts that would end an element, or that XML cannot have.
#[tokio::test(flavor = "multi_thread")]
async fn hostile_texts_stay_texts() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let title = "</title><entry>&amp;<![CDATA[\"' ]]>\u{2028}";
    let mut hostile = post(title);
    hostile["summary"] = json!("<b>&lt;</b>");
    hostile["body"] =
        json!("&#1; &#x1F; &#27; ]]> <script>alert(1)</script> [x](javascript:alert(1)) [page](/shop)");
    create(&editor, hostile).await;
    // Version 0.3.0 accepted noncharacters.
    site.execute(r"update posts set title = title || U&'\FFFE', summary = summary || U&'\FFFF'").await;
    let feed = feed_of(site.visitor().get("/news/feed.atom").await);
    let document = Document::parse(&feed).unwrap();
    let language = document.root_element().attribute(("http://www.w3.org/XML/1998/namespace", "lang"));
    assert_eq!(language, Some("pt-BR"));
    let entry = entries(&document)[0];
    assert_eq!(child(entry, "title"), format!("{title}\u{fffd}"));
    assert_eq!(child(entry, "summary"), "<b>&lt;</b>\u{fffd}");
    let content = entry.children().find(|node| node.has_tag_name((ATOM, "content"))).unwrap();
    assert_eq!(content.attribute("type"), Some("html"));
    let base = content.attribute(("http://www.w3.org/XML/1998/namespace", "base"));
    assert_eq!(base, Some(child(entry, "id")));
    let html = content.text().unwrap();
    assert!(
        html.contains("<a href=\"/shop\"") && !html.contains("<script") && !html.contains("javascript:"),
        "{html}"
    );
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_without_an_address_has_no_feed_and_no_link_previews() {
    let site = Site::start_with(Options { site_url: None, ..Options::default() }).await;
    for path in ["/news/feed.atom", "/news/share/1", "/guild/share/Night%20Watch"] {
        site.visitor().get(path).await.problem(404, "site_url_missing");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_is_the_post_that_would_be_published() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let body = "# Wall\n\n| a | b |\n|---|---|\n| ~~c~~ | <img src=x onerror=alert(1)> |\n\n- [x] [done](https://example.org)";
    let preview = editor.post("/news/preview", json!({ "body": body })).await;
    assert_eq!(preview.header("cache-control"), "private, no-cache");
    let preview = preview.ok();
    assert_eq!(site.count("select count(*) from posts").await, 0);
    assert_eq!(site.count("select count(*) from operations where command like 'news%'").await, 0);
    let id = create(&editor, with_field(post("Wall"), "body", body)).await;
    let published: Value = site.visitor().get(&format!("/news/find/{id}")).await.ok();
    assert_eq!(preview, json!({ "body_html": published["body_html"] }));
    editor.post("/news/preview", json!({ "body": "" })).await.invalid("/body");
    editor.post("/news/preview", json!({ "body": "x", "title": "y" })).await.invalid("/title");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn link_preview_of_a_post_shows_its_title_summary_and_picture() {
    let site = Site::start().await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let id = create(&editor, with_field(post("<i>Wall</i>"), "summary", "It \"stands\".")).await;
    let body = "![](https://other.example/a.jpg)\n\n![The wall](/pictures/wall.jpg)";
    editor.patch("/news/edit", json!({ "post_id": id, "body": body })).await.result();
    let preview = async || site.visitor().get(&format!("/news/share/{id}")).await;
    let page = preview().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let page = page.body.as_str().unwrap().to_owned();
    for tag in [
        r#"<html lang="pt-BR">"#.to_owned(),
        r#"<meta property="og:title" content="&lt;i&gt;Wall&lt;/i&gt;">"#.to_owned(),
        r#"<meta property="og:description" content="It &quot;stands&quot;.">"#.to_owned(),
        format!(r#"<link rel="canonical" href="https://www.site.example/news/{id}">"#),
        r#"<meta property="og:image" content="https://www.site.example/pictures/wall.jpg">"#.to_owned(),
    ] {
        assert!(page.contains(&tag), "{tag} is not in {page}");
    }
    let hidden = json!({ "post_id": id, "hidden": true });
    editor.patch("/news/edit", hidden).await.result();
    preview().await.problem(404, "post_not_found");
    site.finish().await;
}
