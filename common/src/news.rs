//! News: commands, outcomes, refusals.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    cache::Key,
    domain, ids, numbers, refusals, texts,
    values::{LINE, LINES, Moment, TITLE},
};

domain! {
    NewsCommand = "news" {
        "news.create" => CreatePost -> PostSaved,
        "news.edit" => EditPost -> PostSaved,
        "news.destroy" => DestroyPost -> PostDestroyed,
    }
}

texts! {
    /// One line, of any characters.
    Title { 1 ..= 150, TITLE, "The northern wall stands", trimmed }
    /// What the list shows of a post.
    Summary { 0 ..= 500, LINE, "What happened last night at the wall." }
    /// Markdown, kept as it is written.
    Markdown { 1 ..= 65_536, LINES, "We **held** it. [More](https://example.org)." }
}

ids! {
    /// A post.
    PostId
}

numbers! {
    Version(i32, "int32") { 1 ..= i32::MAX, 1 }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CreatePost {
    pub title: Title,
    pub summary: Summary,
    pub body: Markdown,
    pub pinned: bool,
    pub hidden: bool,
    /// In the future: scheduled. None: now.
    pub published_at: Option<Moment>,
}

/// Changes what is given and leaves the rest.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditPost {
    pub post_id: PostId,
    pub title: Option<Title>,
    pub summary: Option<Summary>,
    pub body: Option<Markdown>,
    pub pinned: Option<bool>,
    pub hidden: Option<bool>,
    pub published_at: Option<Moment>,
    /// Refused when the post has another version by now.
    pub expected_version: Option<Version>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyPost {
    pub post_id: PostId,
}

/// A post was written or edited.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PostSaved {
    pub post_id: i64,
    pub slug: String,
    pub version: i32,
    pub published_at: DateTime<Utc>,
}

/// A post is no more.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PostDestroyed {
    pub post_id: i64,
}

refusals! {
    NewsRefusal {
        NotFound PostNotFound "post_not_found" "There is no such post.";
        Conflict PostChanged "post_changed" "Somebody else has edited the post: load it again.";
    }
}

/// All lists of news.
#[must_use]
pub fn news_key() -> Key {
    Key::new("news", "")
}

/// One post.
#[must_use]
pub fn post_key(post_id: i64) -> Key {
    Key::new("post", &post_id.to_string())
}

crate::examples! {
    PostSaved { "post_id": 5, "slug": "the-northern-wall-stands", "version": 1, "published_at": "2030-01-01T12:00:00Z" }
    PostDestroyed { "post_id": 5 }
}
