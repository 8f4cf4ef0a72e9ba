//! News posts: commands, outputs, refusals.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    actor::Actor,
    cache_key::CacheKey,
    partition_key::{PartitionKey, Partitioned},
    values::{LINE, LINES, TITLE, Timestamp},
};
use crate::{domain, id_types, number_types, refusals, text_types};

domain! {
    NewsCommand = "news" {
        "news.create" => CreatePost -> PostSaved,
        "news.edit" => EditPost -> PostSaved,
        "news.destroy" => DestroyPost -> PostDestroyed,
    }
}

impl Partitioned for NewsCommand {
    fn partition_key(&self, actor: Actor) -> Option<PartitionKey> {
        let post_id = match self {
            // The post has no id yet.
            Self::CreatePost(_) => return actor.partition_key(),
            Self::EditPost(command) => command.post_id,
            Self::DestroyPost(command) => command.post_id,
        };
        Some(PartitionKey::new("post", post_id))
    }
}

text_types! {
    /// The title of a post: one line of any characters.
    Title { 1 ..= 150, TITLE, "The northern wall stands", trimmed }
    /// The text that lists show for a post.
    Summary { 0 ..= 500, LINE, "What happened last night at the wall." }
    /// Markdown, stored as it was written.
    Markdown { 1 ..= 65_536, LINES, "We **held** it. [More](https://example.org)." }
}

id_types! {
    /// The id of a post.
    PostId
}

number_types! {
    Version(i32, "int32") { 1 ..= i32::MAX, 1 }
}

/// Creates a post.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatePost {
    pub title: Title,
    pub summary: Summary,
    pub body: Markdown,
    pub pinned: bool,
    pub hidden: bool,
    /// A time in the future schedules the post. None publishes it now.
    pub published_at: Option<Timestamp>,
    /// Whether the summary is the beginning of the text, because the editor has written none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub summary_is_derived: bool,
}

/// Changes the given fields of a post and keeps the others.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditPost {
    pub post_id: PostId,
    pub title: Option<Title>,
    pub summary: Option<Summary>,
    pub body: Option<Markdown>,
    pub pinned: Option<bool>,
    pub hidden: Option<bool>,
    pub published_at: Option<Timestamp>,
    /// If set, the edit is refused when the post has another version.
    pub expected_version: Option<Version>,
    /// The beginning of the new text. It replaces a summary that was derived from the old one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived_summary: Option<Summary>,
}

/// Deletes a post.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyPost {
    pub post_id: PostId,
}

/// A post was created or edited.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PostSaved {
    pub post_id: PostId,
    pub slug: String,
    pub version: i32,
    pub published_at: DateTime<Utc>,
}

/// A post was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PostDestroyed {
    pub post_id: PostId,
}

refusals! {
    NewsRefusal {
        NotFound PostNotFound "post_not_found" "This post does not exist.";
        Conflict PostChanged "post_changed" "Another editor has changed the post. Load it again.";
    }
}

/// All lists of posts.
#[must_use]
pub fn news_key() -> CacheKey {
    CacheKey::new("news", "")
}

/// One post.
#[must_use]
pub fn post_key(post_id: PostId) -> CacheKey {
    CacheKey::new("post", &post_id.to_string())
}

crate::examples! {
    PostSaved { "post_id": 5, "slug": "the-northern-wall-stands", "version": 1, "published_at": "2030-01-01T12:00:00Z" }
    PostDestroyed { "post_id": 5 }
}

crate::wire_forms! {
    NewsCommand r#"
        {"name":"news.create","body":{"title":"It stands","summary":"","body":"We **held** it.","pinned":false,"hidden":false,"published_at":null}}
        {"name":"news.edit","body":{"post_id":5,"title":"It stood","summary":null,"body":null,"pinned":null,"hidden":true,"published_at":"2030-01-01T00:00:00Z","expected_version":1}}
        {"name":"news.create","body":{"title":"It stands","summary":"We held it.","body":"We **held** it.","pinned":false,"hidden":false,"published_at":null,"summary_is_derived":true}}
        {"name":"news.edit","body":{"post_id":5,"title":null,"summary":null,"body":"We held it.","pinned":null,"hidden":null,"published_at":null,"expected_version":null,"derived_summary":"We held it."}}
        {"name":"news.destroy","body":{"post_id":5}}
    "#
}
