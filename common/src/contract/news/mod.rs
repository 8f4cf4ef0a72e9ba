//! News posts: their commands and values.

mod create;
mod destroy;
mod edit;
mod refusal;
mod values;

use super::cache_key::CacheKey;
use crate::domain;

pub use self::{
    refusal::NewsRefusal,
    values::{Markdown, PostId, Summary, Title, Version},
};

domain! {
    /// The commands about news posts.
    NewsCommand("news") {
        create::CreatePost,
        edit::EditPost,
        destroy::DestroyPost,
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
