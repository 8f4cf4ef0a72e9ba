//! The job that announces a post at its time of publication.

use guildhall_common::contract::news::{PostId, news_key, post_key};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    engine::jobs::{Job, NextRun},
};

/// Publishes an event, once, when the post becomes visible. From then on the lists show the post.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AnnouncePost {
    pub(crate) post_id: PostId,
}

impl Job for AnnouncePost {
    const NAME: &'static str = "announce_post";

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let post_id = self.post_id;
        sqlx::query!(
            "with announced as (
                 update posts set announced_at = clock_timestamp()
                 where post_id = $1 and not hidden and published_at <= clock_timestamp() and announced_at is null
                 returning post_id, title, slug, published_at
             )
             insert into outbox (topic, payload) select 'news.published', to_jsonb(announced) from announced",
            post_id.get(),
        )
        .execute(&app.database)
        .await?;
        // It also invalidates a post that was announced before: that worker may have died before this line.
        app.cache.invalidate_or_suspend(&app.database, &[news_key(), post_key(post_id)]).await?;
        Ok(NextRun::Done)
    }
}
