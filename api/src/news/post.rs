//! The view of one post, with its text.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::Role,
        cache_key::CacheKey,
        command::Refusal,
        news::{NewsRefusal, PostId, post_key},
    },
    markdown::stored_or_unformatted,
    platform::cache::Cacheable,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::OptionalCaller,
    http::{
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    news::read::TTL,
    state::State,
};

/// A post.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Post {
    pub post_id: PostId,
    pub title: String,
    /// The title for a URL.
    pub slug: String,
    pub summary: String,
    /// The text in Markdown.
    pub body: String,
    /// The text as sanitised HTML.
    pub body_html: String,
    pub author: String,
    pub pinned: bool,
    pub hidden: bool,
    pub published_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Send it as `expected_version` of an edit.
    pub version: i32,
}

struct OnePost(PostId);

impl Cacheable for OnePost {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        post_key(self.0)
    }
}

/// Loads a post. Editors also get hidden and scheduled posts, and theirs are not cached.
///
/// # Errors
/// 404 when the post does not exist or is not visible; 503 when the database does not respond.
pub(super) async fn find(
    state: &State,
    visitor: &OptionalCaller,
    id: PostId,
) -> Result<ReadResponse<Post>, Problem> {
    if visitor.0.as_ref().is_some_and(|caller| caller.is(Role::Editor)) {
        return ReadResponse::private(&load_post(&state.database, true, id).await?);
    }
    ReadResponse::cached(&state.cache, &OnePost(id), async || {
        cached_body(&load_post(&state.database, false, id).await?, None)
    })
    .await
}

async fn load_post(database: &PgPool, with_hidden: bool, id: PostId) -> Result<Post, Problem> {
    let row = sqlx::query!(
        r#"select post_id as "post_id: PostId", title, slug, summary, body, html as "html?", accounts.name as author, pinned,
                  hidden, published_at, updated_at, version
           from posts join accounts on account_id = author_id left join rendered_posts using (post_id)
           where post_id = $1 and ($2 or (not hidden and published_at <= now()))"#,
        id.get(),
        with_hidden,
    )
    .fetch_optional(database)
    .await?
    .ok_or_else(|| NewsRefusal::PostNotFound.refused())?;
    Ok(Post {
        body_html: stored_or_unformatted(row.html, &row.body),
        post_id: row.post_id,
        title: row.title,
        slug: row.slug,
        summary: row.summary,
        body: row.body,
        author: row.author,
        pinned: row.pinned,
        hidden: row.hidden,
        published_at: row.published_at,
        updated_at: row.updated_at,
        version: row.version,
    })
}

guildhall_common::examples! {
    Post {
        "post_id": 5, "title": "The northern wall stands", "slug": "the-northern-wall-stands",
        "summary": "What happened last night.", "body": "We **held** it.",
        "body_html": "<p>We <strong>held</strong> it.</p>\n", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "updated_at": "2030-01-01T12:00:00Z", "version": 1
    }
}
