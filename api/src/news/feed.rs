//! The feed of the news: Atom, RFC 4287.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        news::{PostId, news_key},
    },
    markdown::stored_or_unformatted,
    platform::{cache::Cacheable, site_url::SiteUrl},
};
use sqlx::PgPool;

use crate::{
    http::{
        markup::Escaped,
        problem::Problem,
        text_response::{TextKind, TextResponse},
    },
    news::read::TTL,
    state::State,
};

/// The maximum number of posts in the feed.
const POSTS: i64 = 20;

/// A post of the feed.
struct FeedEntry {
    post_id: PostId,
    title: String,
    summary: String,
    body: String,
    html: Option<String>,
    author: String,
    published_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// The feed as a cached response. It becomes stale together with the lists of posts.
struct FeedView;

impl Cacheable for FeedView {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        news_key()
    }

    fn field(&self) -> String {
        "feed".to_owned()
    }
}

pub(super) struct Atom;

impl TextKind for Atom {
    const MEDIA_TYPE: &'static str = "application/atom+xml";
    const DESCRIPTION: &'static str = "The feed.";
}

/// The response with the feed.
pub(super) type Feed = TextResponse<Atom>;

/// Returns the feed from the cache, or makes and caches it.
///
/// # Errors
/// 404 if the site has no address; 503 when the database does not respond.
pub(super) async fn feed(state: &State) -> Result<Feed, Problem> {
    let site_url = state.require_site_url()?;
    let load = async || {
        let entries = newest(&state.database).await?;
        Ok(write_feed(site_url, &state.site_name, &state.site_language, entries))
    };
    Feed::cached(&state.cache, &FeedView, load).await
}

/// The newest visible posts. The pinned posts and the others are read separately, each from one end of an index.
async fn newest(database: &PgPool) -> sqlx::Result<Vec<FeedEntry>> {
    sqlx::query_as!(
        FeedEntry,
        r#"select post_id as "post_id!: PostId", title as "title!", summary as "summary!", body as "body!", html as "html?",
                  accounts.name as author, published_at as "published_at!",
                  greatest(updated_at, published_at) as "updated_at!"
           from (select post.* from (values (true), (false)) as part (pinned) cross join lateral (
                     select * from posts
                     where posts.pinned = part.pinned and not hidden and posts.published_at <= now()
                     order by posts.published_at desc, posts.post_id desc limit $1) as post
                 order by post.published_at desc, post.post_id desc limit $1) as posts
           join accounts on account_id = author_id left join rendered_posts using (post_id)
           order by published_at desc, post_id desc"#,
        POSTS,
    )
    .fetch_all(database)
    .await
}

fn write_feed(site_url: &SiteUrl, site_name: &str, language: &str, mut entries: Vec<FeedEntry>) -> String {
    make_updates_unique(&mut entries);
    let news = site_url.page("/news");
    // RFC 4287 requires a time, also of a feed without entries.
    let updated = entries.iter().map(|entry| entry.updated_at).max().unwrap_or(DateTime::UNIX_EPOCH);
    let entries: String = entries.into_iter().map(|entry| entry.into_xml(site_url)).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">
  <id>{id}</id>
  <title>{title}</title>
  <updated>{updated}</updated>
  <link rel="alternate" type="text/html" href="{id}"/>
  <link rel="self" type="application/atom+xml" href="{address}"/>
{entries}</feed>
"#,
        address = Escaped(&site_url.api("/news/feed.atom")),
        id = Escaped(&news),
        title = Escaped(site_name),
        updated = time(updated),
    )
}

/// A reader of feeds may recognise a changed entry by its time only. So no two entries have the same one.
fn make_updates_unique(entries: &mut [FeedEntry]) {
    let mut times = HashSet::new();
    for FeedEntry { updated_at, .. } in entries.iter_mut().rev() {
        while !times.insert(*updated_at) {
            *updated_at += TimeDelta::microseconds(1);
        }
    }
}

impl FeedEntry {
    /// The id is the address of the post, which never changes. Links in the text are relative to it.
    fn into_xml(self, site_url: &SiteUrl) -> String {
        let page = site_url.page(&format!("/news/{}", self.post_id));
        format!(
            r#"  <entry>
    <id>{id}</id>
    <title>{title}</title>
    <published>{published}</published>
    <updated>{updated}</updated>
    <link rel="alternate" type="text/html" href="{id}"/>
    <author><name>{author}</name></author>
    <summary>{summary}</summary>
    <content type="html" xml:base="{id}">{content}</content>
  </entry>
"#,
            id = Escaped(&page),
            title = Escaped(&self.title),
            published = time(self.published_at),
            updated = time(self.updated_at),
            author = Escaped(&self.author),
            summary = Escaped(&self.summary),
            content = Escaped(&stored_or_unformatted(self.html, &self.body)),
        )
    }
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, true)
}
