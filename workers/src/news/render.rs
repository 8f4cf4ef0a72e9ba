//! The HTML of posts.

use chrono::TimeDelta;
use guildhall_common::{
    contract::news::{PostId, news_key, post_key},
    markdown::{RENDERER, Rendered},
};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use crate::{
    app::App,
    engine::{
        context::Context,
        jobs::{Job, NextRun},
    },
};

/// Stores the HTML of a new text. Without it, the job renders the text.
pub(super) async fn store(
    cx: &mut Context<'_>,
    post_id: PostId,
    rendered: Option<&Rendered>,
) -> sqlx::Result<()> {
    let Some(Rendered { renderer, html }) = rendered else {
        sqlx::query!("delete from rendered_posts where post_id = $1", post_id.get())
            .execute(&mut *cx.db)
            .await?;
        return Ok(());
    };
    sqlx::query!(
        "insert into rendered_posts (post_id, renderer, html) values ($1, $2, $3)
         on conflict (post_id) do update set renderer = excluded.renderer, html = excluded.html",
        post_id.get(),
        renderer,
        html,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// The maximum number of posts that one attempt renders.
const MAX_POSTS: i64 = 20;

/// Renders posts that have no HTML, or that of an older renderer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RenderPosts {}

impl Job for RenderPosts {
    const NAME: &'static str = "render_posts";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::minutes(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let posts = sqlx::query!(
            r#"select post_id as "post_id: PostId", version, body from posts left join rendered_posts using (post_id)
               where renderer is null or renderer < $1 order by post_id desc limit $2"#,
            RENDERER,
            MAX_POSTS,
        )
        .fetch_all(&app.database)
        .await?;
        let count = posts.len() as i64;
        for post in posts {
            let rendered = spawn_blocking(move || Rendered::new(&post.body)).await?;
            // An edit meanwhile has stored the HTML of its own text.
            sqlx::query!(
                "insert into rendered_posts (post_id, renderer, html)
                 select post_id, $3, $4 from posts where post_id = $1 and version = $2 for share
                 on conflict (post_id) do update set renderer = excluded.renderer, html = excluded.html",
                post.post_id.get(),
                post.version,
                rendered.renderer,
                rendered.html,
            )
            .execute(&app.database)
            .await?;
            let keys = [news_key(), post_key(post.post_id)];
            app.cache.invalidate_or_suspend(&app.database, &keys).await?;
        }
        Ok(if count == MAX_POSTS { NextRun::After(TimeDelta::zero()) } else { NextRun::Done })
    }
}
