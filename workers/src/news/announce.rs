//! Telling of a post when its time has come.

use guildhall_common::contract::news::{news_key, post_key};

use crate::{app::App, jobs::Next};

/// Tells of it once, when it can be seen; from then on the lists show it.
pub(crate) async fn announce(site: &App, post_id: i64) -> anyhow::Result<Next> {
    sqlx::query!(
        "with announced as (
             update posts set announced_at = clock_timestamp()
             where post_id = $1 and not hidden and published_at <= clock_timestamp() and announced_at is null
             returning post_id, title, slug, published_at
         )
         insert into outbox (topic, payload) select 'news.published', to_jsonb(announced) from announced",
        post_id,
    )
    .execute(&site.database)
    .await?;
    // Also when it was announced before: the worker that did may have died before this line.
    site.cache.invalidate_or_suspend(&site.database, &[news_key(), post_key(post_id)]).await?;
    Ok(Next::Done)
}
