//! Edits a post.

use guildhall_common::contract::{
    command::Failure,
    news::{EditPost, NewsRefusal, PostId, PostSaved, news_key, post_key},
};

use crate::{
    engine::rule::{Context, Rule},
    jobs::Job,
    news::slug::slug,
};

impl Rule for EditPost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostSaved, Failure> {
        let version = sqlx::query_scalar!(
            "select version from posts where post_id = $1 for update",
            self.post_id.get()
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(NewsRefusal::PostNotFound)?;
        if self.expected_version.is_some_and(|expected| expected.get() != version) {
            return Err(NewsRefusal::PostChanged.into());
        }
        let saved = sqlx::query_as!(
            PostSaved,
            r#"update posts
             set title = coalesce($2, title), slug = coalesce($3, slug), summary = coalesce($4, summary),
                 body = coalesce($5, body), pinned = coalesce($6, pinned), hidden = coalesce($7, hidden),
                 published_at = coalesce($8, published_at), version = version + 1, updated_at = $9
             where post_id = $1
             returning post_id as "post_id: PostId", slug, version, published_at"#,
            self.post_id.get(),
            self.title.as_deref(),
            self.title.as_deref().map(slug),
            self.summary.as_deref(),
            self.body.as_deref(),
            self.pinned,
            self.hidden,
            self.published_at.map(|time| time.0),
            cx.now,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.schedule(&Job::AnnouncePost { post_id: saved.post_id }, saved.published_at).await?;
        cx.invalidate([news_key(), post_key(saved.post_id)]);
        Ok(saved)
    }
}
