//! The command `news.destroy`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{refusal::NewsRefusal, values::PostId};
use crate::contract::{
    actor::Actor,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Deletes a post.
#[derive(Debug, Serialize, Deserialize)]
pub struct DestroyPost {
    pub post_id: PostId,
}

/// A post was deleted.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PostDestroyed {
    pub post_id: PostId,
}

impl Declaration for DestroyPost {
    type Output = PostDestroyed;
    type Refusal = NewsRefusal;

    const NAME: &'static str = "news.destroy";
    const SENDER: Sender = Sender::Editor;
    const REFUSALS: &'static [NewsRefusal] = &[NewsRefusal::PostNotFound];
    const EXAMPLE: &'static str = r#"{"post_id":5}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        Some(PartitionKey::new("post", self.post_id))
    }
}

crate::examples! {
    PostDestroyed { "post_id": 5 }
}
