//! Views of news, their TTL, their SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::Role,
        cache_key::CacheKey,
        news::{PostId, news_key, post_key},
        values::{Limit, Page},
    },
    platform::cache::Cacheable,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::{
    auth::OptionalCaller,
    http::{
        problem::Problem,
        read_response::{ListPage, ReadResponse, cached_body, page_body},
    },
    news::markdown,
    state::State,
};

/// A job invalidates the lists when a scheduled post's time comes.
const TTL: Duration = Duration::from_secs(300);

/// A post in a list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct PostSummary {
    pub post_id: i64,
    pub title: String,
    /// The title for a URL.
    pub slug: String,
    pub summary: String,
    pub author: String,
    pub pinned: bool,
    pub hidden: bool,
    pub published_at: DateTime<Utc>,
    pub version: i32,
}

/// A post.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct Post {
    pub post_id: i64,
    pub title: String,
    /// The title for a URL.
    pub slug: String,
    pub summary: String,
    /// Markdown, as it was written.
    pub body: String,
    /// The same as HTML that is safe to show.
    pub body_html: String,
    pub author: String,
    pub pinned: bool,
    pub hidden: bool,
    pub published_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// For `expected_version` of an edit.
    pub version: i32,
}

struct Published(Page, Limit);

impl Cacheable for Published {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        news_key()
    }

    fn field(&self) -> String {
        format!("{}:{}", self.0.get(), self.1.get())
    }
}

pub(super) async fn published(
    state: &State,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<PostSummary>>, Problem> {
    let load = async {
        let (items, total) = select(state, false, page, limit).await?;
        page_body(items, page, limit, total)
    };
    let found = ReadResponse::cached(&state.cache, &Published(page, limit), load).await?;
    Ok(found.linked(page, limit, |page| format!("/news/list/{page}/{}", limit.get())))
}

pub(super) async fn all(
    state: &State,
    page: Page,
    limit: Limit,
) -> Result<ReadResponse<ListPage<PostSummary>>, Problem> {
    let (items, total) = select(state, true, page, limit).await?;
    let found = ReadResponse::private_page(items, page, limit, total)?;
    Ok(found.linked(page, limit, |page| format!("/news/listDashboard/{page}/{}", limit.get())))
}

async fn select(
    state: &State,
    unseen: bool,
    page: Page,
    limit: Limit,
) -> sqlx::Result<(Vec<PostSummary>, i64)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from posts where $1 or (not hidden and published_at <= now())"#,
        unseen,
    )
    .fetch_one(&state.database)
    .await?;
    let items = sqlx::query_as!(
        PostSummary,
        "select post_id, title, slug, summary, accounts.name as author, pinned, hidden, published_at, version
         from posts join accounts on account_id = author_id
         where $1 or (not hidden and published_at <= now())
         order by pinned desc, published_at desc, post_id desc limit $2 offset $3",
        unseen,
        limit.get(),
        page.offset(limit),
    )
    .fetch_all(&state.database)
    .await?;
    Ok((items, total))
}

/// Off the threads that serve requests: a long post takes some milliseconds.
async fn rendered(body: String) -> Result<(String, String), Problem> {
    let render = move || {
        let html = markdown::to_html(&body);
        (body, html)
    };
    tokio::task::spawn_blocking(render)
        .await
        .map_err(|error| Problem::internal("a post cannot be rendered", &error))
}

struct OnePost(PostId);

impl Cacheable for OnePost {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        post_key(self.0)
    }
}

pub(super) async fn post(
    state: &State,
    visitor: &OptionalCaller,
    id: PostId,
) -> Result<ReadResponse<Post>, Problem> {
    if visitor.0.as_ref().is_some_and(|caller| caller.is(Role::Editor)) {
        return ReadResponse::private(&load_post(state, true, id).await?);
    }
    ReadResponse::cached(&state.cache, &OnePost(id), async {
        cached_body(&load_post(state, false, id).await?, None)
    })
    .await
}

async fn load_post(state: &State, unseen: bool, id: PostId) -> Result<Post, Problem> {
    let row = sqlx::query!(
        "select post_id, title, slug, summary, body, accounts.name as author, pinned, hidden, published_at,
                updated_at, version
         from posts join accounts on account_id = author_id
         where post_id = $1 and ($2 or (not hidden and published_at <= now()))",
        id.get(),
        unseen,
    )
    .fetch_optional(&state.database)
    .await?
    .ok_or_else(|| Problem::not_found("post_not_found", "There is no such post."))?;
    let (body, body_html) = rendered(row.body).await?;
    Ok(Post {
        body_html,
        post_id: row.post_id,
        title: row.title,
        slug: row.slug,
        summary: row.summary,
        body,
        author: row.author,
        pinned: row.pinned,
        hidden: row.hidden,
        published_at: row.published_at,
        updated_at: row.updated_at,
        version: row.version,
    })
}

guildhall_common::examples! {
    PostSummary {
        "post_id": 5, "title": "The northern wall stands", "slug": "the-northern-wall-stands",
        "summary": "What happened last night.", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "version": 1
    }
    Post {
        "post_id": 5, "title": "The northern wall stands", "slug": "the-northern-wall-stands",
        "summary": "What happened last night.", "body": "We **held** it.",
        "body_html": "<p>We <strong>held</strong> it.</p>\n", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "updated_at": "2030-01-01T12:00:00Z", "version": 1
    }
}
