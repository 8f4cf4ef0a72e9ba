//! Edits a post.

use guildhall_common::contract::{
    command::Failure,
    news::{EditPost, NewsRefusal, PostSaved, news_key, post_key},
};
use serde_json::json;

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    news::{announce::AnnouncePost, create::slug, render},
};

impl Rule for EditPost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostSaved, Failure> {
        let before = sqlx::query!(
            r#"select version, author_id, to_jsonb(posts) as "row!" from posts where post_id = $1 for update"#,
            self.post_id.get()
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(NewsRefusal::PostNotFound)?;
        if self.expected_version.is_some_and(|expected| expected.get() != before.version) {
            return Err(NewsRefusal::PostChanged.into());
        }
        let saved = sqlx::query!(
            r#"update posts
             set title = coalesce($2, title), slug = coalesce($3, slug),
                 summary = coalesce($4, case when summary_is_derived then $10 end, summary),
                 summary_is_derived = summary_is_derived and $4 is null,
                 body = coalesce($5, body), pinned = coalesce($6, pinned), hidden = coalesce($7, hidden),
                 published_at = coalesce($8, published_at), version = version + 1, updated_at = $9
             where post_id = $1
             returning slug, version, published_at, to_jsonb(posts) as "row!""#,
            self.post_id.get(),
            self.title.as_deref(),
            self.title.as_deref().map(slug),
            self.summary.as_deref(),
            self.body.as_deref(),
            self.pinned,
            self.hidden,
            self.published_at.map(|time| time.0),
            cx.now,
            self.derived_summary.as_deref(),
        )
        .fetch_one(&mut *cx.db)
        .await?;
        let post_id = self.post_id;
        if self.body.is_some() {
            render::store(cx, post_id, self.rendered.as_ref()).await?;
        }
        cx.schedule(&AnnouncePost { post_id }, saved.published_at).await?;
        let details = json!({ "post_id": post_id, "author_id": before.author_id });
        cx.audit(Entry::new("news.edit", details).row(&before.row, &saved.row)).await?;
        cx.invalidate([news_key(), post_key(post_id)]);
        Ok(PostSaved { post_id, slug: saved.slug, version: saved.version, published_at: saved.published_at })
    }
}
