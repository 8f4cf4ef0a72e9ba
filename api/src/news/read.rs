//! Views of news: their cache entries and SELECTs.

use std::{io, time::Duration};

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::Role,
        cache_key::CacheKey,
        command::Refusal,
        news::{NewsRefusal, PostId, news_key, post_key},
        values::Timestamp,
    },
    platform::cache::Cacheable,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::OptionalCaller,
    http::{
        list::{CachedList, List},
        list_address::ListAddress,
        paging::PageRows,
        problem::Problem,
        read_response::{ReadResponse, cached_body},
    },
    news::markdown,
    state::State,
};

/// A job invalidates the lists when a scheduled post becomes visible.
const TTL: Duration = Duration::from_secs(300);

/// A post in a list.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct PostSummary {
    pub post_id: PostId,
    pub title: String,
    /// The title for a URL.
    pub slug: String,
    pub summary: String,
    /// The text in Markdown, with `body=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The text as sanitised HTML, with `body=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_html: Option<String>,
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

/// The posts that everybody sees.
pub(super) struct PublishedPosts {
    pub(super) with_body: bool,
}

/// Whether a post is pinned, its time and its id.
type PostPosition = (bool, Timestamp, PostId);

impl List for PublishedPosts {
    type Item = PostSummary;
    type Position = PostPosition;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        count(database, false, limit).await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<PostPosition>) -> sqlx::Result<Vec<PostSummary>> {
        let mut posts =
            select(database, Selection { with_hidden: false, with_body: self.with_body }, rows).await?;
        let render = move || {
            for post in &mut posts {
                post.body_html = post.body.as_deref().map(markdown::to_html);
            }
            posts
        };
        Ok(tokio::task::spawn_blocking(render).await.map_err(io::Error::from)?)
    }

    fn position(post: &PostSummary) -> PostPosition {
        position(post)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/news/list").filter("body", self.with_body.then_some(true))
    }
}

impl CachedList for PublishedPosts {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        news_key()
    }
}

/// All posts, with the hidden and the scheduled ones.
pub(super) struct AllPosts;

impl List for AllPosts {
    type Item = PostSummary;
    type Position = PostPosition;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        count(database, true, limit).await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<PostPosition>) -> sqlx::Result<Vec<PostSummary>> {
        select(database, Selection { with_hidden: true, with_body: false }, rows).await
    }

    fn position(post: &PostSummary) -> PostPosition {
        position(post)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/news/listDashboard")
    }
}

fn position(post: &PostSummary) -> PostPosition {
    (post.pinned, Timestamp(post.published_at), post.post_id)
}

async fn count(database: &PgPool, with_hidden: bool, limit: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from (select from posts
                 where $1 or (not hidden and pinned in (true, false) and published_at <= now()) limit $2) as counted"#,
        with_hidden,
        limit,
    )
    .fetch_one(database)
    .await
}

/// What a list of posts has.
#[derive(Clone, Copy)]
struct Selection {
    with_hidden: bool,
    with_body: bool,
}

/// The pinned posts and the others are read one after the other, each from the newest visible post on: an index then skips
/// the scheduled posts.
async fn select(
    database: &PgPool,
    selection: Selection,
    rows: PageRows<PostPosition>,
) -> sqlx::Result<Vec<PostSummary>> {
    let end = rows.end();
    let (pinned, published_at, post_id) = match rows.after {
        Some((pinned, published_at, post_id)) => (Some(pinned), Some(published_at.0), Some(post_id)),
        None => (None, None, None),
    };
    sqlx::query_as!(
        PostSummary,
        r#"with newest as materialized (
               select case when $1 then 'infinity' else now() end as published_at, 9223372036854775807 as post_id
           ), parts as (
               select part.pinned, continued.*
               from (values (true), (false)) as part (pinned) cross join newest cross join lateral (
                   select case when is_later then newest.published_at else $7 end as published_at,
                          case when is_later then newest.post_id else $8::bigint end as post_id
                   from (select part.pinned is distinct from $6::bool
                                or $7::timestamptz > newest.published_at as is_later) as place
               ) as continued
               where $6 is null or part.pinned <= $6
           )
           select post_id as "post_id!: PostId", title as "title!", slug as "slug!", summary as "summary!",
                  case when $4 then body end as body, null::text as body_html, accounts.name as author,
                  pinned as "pinned!", hidden as "hidden!", published_at as "published_at!", version as "version!"
           from (select post.* from parts cross join lateral (
                     select * from posts
                     where posts.pinned = parts.pinned and ($1 or not hidden)
                       and (posts.published_at, posts.post_id) < (parts.published_at, parts.post_id)
                     order by posts.published_at desc, posts.post_id desc limit $5) as post
                 order by post.pinned desc, post.published_at desc, post.post_id desc limit $2 offset $3) as posts
           join accounts on account_id = author_id
           order by pinned desc, published_at desc, post_id desc"#,
        selection.with_hidden,
        rows.limit,
        rows.offset,
        selection.with_body,
        end,
        pinned,
        published_at,
        post_id as Option<PostId>,
    )
    .fetch_all(database)
    .await
}

/// Renders the text on a thread for blocking work, because a long post takes some milliseconds. Returns the text and
/// the HTML.
async fn render(body: String) -> Result<(String, String), Problem> {
    let to_html = move || {
        let html = markdown::to_html(&body);
        (body, html)
    };
    tokio::task::spawn_blocking(to_html)
        .await
        .map_err(|error| Problem::internal("post was not rendered", &error))
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
pub(super) async fn post(
    state: &State,
    visitor: &OptionalCaller,
    id: PostId,
) -> Result<ReadResponse<Post>, Problem> {
    if visitor.0.as_ref().is_some_and(|caller| caller.is(Role::Editor)) {
        return ReadResponse::private(&load_post(&state.database, true, id).await?);
    }
    ReadResponse::cached(&state.cache, &OnePost(id), async {
        cached_body(&load_post(&state.database, false, id).await?, None)
    })
    .await
}

async fn load_post(database: &PgPool, with_hidden: bool, id: PostId) -> Result<Post, Problem> {
    let row = sqlx::query!(
        r#"select post_id as "post_id: PostId", title, slug, summary, body, accounts.name as author, pinned, hidden,
                  published_at, updated_at, version
           from posts join accounts on account_id = author_id
           where post_id = $1 and ($2 or (not hidden and published_at <= now()))"#,
        id.get(),
        with_hidden,
    )
    .fetch_optional(database)
    .await?
    .ok_or_else(|| NewsRefusal::PostNotFound.refused())?;
    let (body, body_html) = render(row.body).await?;
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
        "summary": "What happened last night.", "body": "We **held** it.",
        "body_html": "<p>We <strong>held</strong> it.</p>\n", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "version": 1
    }
    Post {
        "post_id": 5, "title": "The northern wall stands", "slug": "the-northern-wall-stands",
        "summary": "What happened last night.", "body": "We **held** it.",
        "body_html": "<p>We <strong>held</strong> it.</p>\n", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "updated_at": "2030-01-01T12:00:00Z", "version": 1
    }
}
