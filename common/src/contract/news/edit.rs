//! The command `news.edit`.

use serde::{Deserialize, Serialize};

use super::{
    create::PostSaved,
    refusal::NewsRefusal,
    values::{Markdown, PostId, Summary, Title, Version},
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
    /// The new text as HTML. An api of version 0.3.0 does not send it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<Rendered>,
}

impl Declaration for EditPost {
    type Output = PostSaved;
    type Refusal = NewsRefusal;

    const NAME: &'static str = "news.edit";
    const SENDER: Sender = Sender::Editor;
    const REFUSALS: &'static [NewsRefusal] = &[NewsRefusal::PostNotFound, NewsRefusal::PostChanged];
    const EXAMPLE: &'static str = r#"{"post_id":5,"title":"It stood","summary":null,"body":null,"pinned":null,"hidden":true,"published_at":"2030-01-01T00:00:00Z","expected_version":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("post", self.post_id))
    }
}
