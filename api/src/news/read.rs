//! Views of news: their cache entries and SELECTs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        news::{PostId, news_key},
        values::Timestamp,
    },
    markdown::stored_or_unformatted,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{
    list::{CachedList, List},
    list_address::ListAddress,
    paging::PageRows,
};

/// The lifetime of cached lists and posts. A job invalidates the lists when a scheduled post becomes visible.
pub(super) const TTL: Duration = Duration::from_secs(300);

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
        for PostSummary { body, body_html, .. } in &mut posts {
            *body_html = body.as_deref().map(|body| stored_or_unformatted(body_html.take(), body));
        }
        Ok(posts)
    }

    fn position(post: &PostSummary) -> PostPosition {
        (post.pinned, Timestamp(post.published_at), post.post_id)
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
        PublishedPosts::position(post)
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/news/listDashboard")
    }
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
    let (pinned, place) = rows.after.map(|(pinned, at, id)| (pinned, (at.0, id))).unzip();
    let (published_at, post_id) = place.unzip();
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
                  case when $4 then body end as body, case when $4 then html end as body_html, accounts.name as author,
                  pinned as "pinned!", hidden as "hidden!", published_at as "published_at!", version as "version!"
           from (select post.* from parts cross join lateral (
                     select * from posts
                     where posts.pinned = parts.pinned and ($1 or not hidden)
                       and (posts.published_at, posts.post_id) < (parts.published_at, parts.post_id)
                     order by posts.published_at desc, posts.post_id desc limit $5) as post
                 order by post.pinned desc, post.published_at desc, post.post_id desc limit $2 offset $3) as posts
           join accounts on account_id = author_id left join rendered_posts using (post_id)
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

guildhall_common::examples! {
    PostSummary {
        "post_id": 5, "title": "The northern wall stands", "slug": "the-northern-wall-stands",
        "summary": "What happened last night.", "body": "We **held** it.",
        "body_html": "<p>We <strong>held</strong> it.</p>\n", "author": "mira", "pinned": false,
        "hidden": false, "published_at": "2030-01-01T12:00:00Z", "version": 1
    }
}
