//! The command `news.create`.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    refusal::NewsRefusal,
    values::{Markdown, PostId, Summary, Title},
};
use crate::{
    contract::{
        actor::Actor,
        command::{Declaration, Sender},
        partition_key::PartitionKey,
        values::Timestamp,
    },
    markdown::Rendered,
};

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
    /// The text as HTML. An api of version 0.3.0 does not send it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<Rendered>,
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

impl Declaration for CreatePost {
    type Output = PostSaved;
    type Refusal = NewsRefusal;

    const NAME: &'static str = "news.create";
    const SENDER: Sender = Sender::Editor;
    const REFUSALS: &'static [NewsRefusal] = &[];
    const EXAMPLE: &'static str = r#"{"title":"It stands","summary":"","body":"We **held** it.","pinned":false,"hidden":false,"published_at":null}"#;

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        sender.partition_key()
    }
}

crate::examples! {
    PostSaved { "post_id": 5, "slug": "the-northern-wall-stands", "version": 1, "published_at": "2030-01-01T12:00:00Z" }
}
